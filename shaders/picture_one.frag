// Single picture: draws it over the output; see picture_two.frag.

uniform sampler2D current;
uniform float fineness; // alpha of the output; 1 on the screen
in vec2 current_at;
out vec4 colour;

void main() {
    colour = vec4(texture(current, current_at).rgb, fineness);
}
