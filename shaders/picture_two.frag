// Two pictures: draws the finer one at every pixel. A backend is filling the current picture; the
// old picture is what the screen showed before. Pixels outside both keep their colour. Alpha is the
// fineness of a texel: 1 for a pixel of its own, 16/255 less for each doubling of the side of a
// square that shares one colour, 0 for no texel.

uniform sampler2D current, old;
uniform float current_coarser, old_coarser; // reduction of alpha by magnification on the output
uniform bool stored;                        // the output is stored as the next old picture
in vec2 current_at, old_at;
out vec4 colour;

float fineness(float alpha, float coarser) {
    return alpha > 0.0 ? clamp(alpha - coarser, 1.0 / 255.0, 1.0) : 0.0;
}

bool inside(vec2 at) {
    return at == clamp(at, 0.0, 1.0);
}

#ifdef GAPS
// The current picture has gaps, which are filled here as in app/picture/lattice_fill.c.
uniform int first_stride;

vec4 fill_gap() {
    ivec2 size = textureSize(current, 0);
    ivec2 at = ivec2(floor(current_at * vec2(size)));
    vec4 texel = vec4(0.0);
    float alpha = 1.0;
    for (int stride = 2; texel.a == 0.0 && stride <= first_stride; stride *= 2) {
        alpha -= 16.0 / 255.0;
        texel = texelFetch(current, clamp(at, ivec2(0), size - 1) & ~(stride - 1), 0);
    }
    return texel.a > 0.0 ? vec4(texel.rgb, alpha) : vec4(0.0);
}
#endif

void main() {
    vec4 new_texel = texture(current, current_at);
#ifdef GAPS
    if (new_texel.a == 0.0)
        new_texel = fill_gap();
#endif
    vec4 old_texel = texture(old, old_at);
    float new_fine = inside(current_at) ? fineness(new_texel.a, current_coarser) : 0.0;
    float old_fine = inside(old_at) ? fineness(old_texel.a, old_coarser) : 0.0;
    vec4 best = old_fine > new_fine ? vec4(old_texel.rgb, old_fine) : vec4(new_texel.rgb, new_fine);
    if (best.a == 0.0)
        discard;
    colour = vec4(best.rgb, stored ? best.a : 1.0);
}
