// Fills what is around a picture: its colours, blurred, and mirrored at its edges. Of one that is not whole the level is
// taken in which there is something of it everywhere, without the background in its holes.

uniform sampler2D current;
uniform float fineness; // 1 on the screen
uniform float level;    // the least blurred one
uniform vec3 holes;     // the background's colour
uniform bool whole;
uniform vec2 used;      // so much of the texture is the picture
in vec2 current_at;
out vec4 colour;

// Without what lies beside it in the texture.
vec4 look(float level) {
    vec2 margin = min(exp2(level) / vec2(textureSize(current, 0)), used / 2.0);
    vec2 mirrored = 1.0 - abs(mod(current_at, 2.0) - 1.0);
    return textureLod(current, clamp(mirrored * used, vec2(0.0), used - margin), level);
}

void main() {
    vec4 texel = look(level);
    for (int more = 1; !whole && texel.a < 0.05 && more < 12; more++)
        texel = look(level + float(more));
    vec3 known = whole ? texel.rgb : (texel.rgb - (1.0 - texel.a) * holes) / max(texel.a, 0.01);
    colour = vec4(clamp(known, 0.0, 1.0), fineness);
}
