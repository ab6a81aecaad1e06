// Picture of lines: draws it over the output. The table's first row maps a horizontal position to a
// column, its second row maps a vertical position to a row.

uniform sampler2D current, table;
uniform float fineness; // alpha of the output; 1 on the screen
in vec2 current_at;
out vec4 colour;

void main() {
    float column = texture(table, vec2(current_at.x, 0.25)).r;
    float row = texture(table, vec2(current_at.y, 0.75)).r;
    colour = vec4(texture(current, vec2(column, row)).rgb, fineness);
}
