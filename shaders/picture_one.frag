// Draws one picture over what is there; see picture_two.frag.

uniform sampler2D current;
uniform float fineness; // 1 on the screen
in vec2 current_at;
out vec4 colour;

void main() {
    colour = vec4(texture(current, current_at).rgb, fineness);
}
