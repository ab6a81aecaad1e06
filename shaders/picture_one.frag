// Draws one picture onto the screen; see picture_two.frag.

uniform sampler2D current;
uniform vec3 background;
in vec2 current_at;
out vec4 colour;

void main() {
    vec4 found = texture(current, current_at);
    colour = vec4(found.a > 0.0 ? found.rgb : background, 1.0);
}
