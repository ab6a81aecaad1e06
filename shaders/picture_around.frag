// Border of a picture: fills the area around it with its colours, blurred, mirrored at the edges.
// An incomplete picture is sampled at a mip level without holes, less the background in its holes.

uniform sampler2D current;
uniform float fineness; // alpha of the output; 1 on the screen
uniform float level;    // least blurred mip level
uniform vec3 holes;     // colour of the background
uniform bool whole;     // true if the picture has no holes
uniform vec2 used;      // part of the texture that the picture occupies, 0 .. 1
in vec2 current_at;
out vec4 colour;

// Samples the picture, without the texels next to it in the texture.
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
