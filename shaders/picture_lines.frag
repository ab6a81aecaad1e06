// Draws one picture of lines over what is there: the table has the column for a position across, in
// its first row, and the row for one down.

uniform sampler2D current, table;
uniform float fineness; // 1 on the screen
in vec2 current_at;
out vec4 colour;

void main() {
    float column = texture(table, vec2(current_at.x, 0.25)).r;
    float row = texture(table, vec2(current_at.y, 0.75)).r;
    colour = vec4(texture(current, vec2(column, row)).rgb, fineness);
}
