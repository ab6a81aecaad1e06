// A quadrilateral where one picture lies. Its sides are 1, but for one of lines, whose tables have
// more room.

uniform vec2 corners[4], sides;
out vec2 current_at;

void main() {
    current_at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * sides;
    gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0);
}
