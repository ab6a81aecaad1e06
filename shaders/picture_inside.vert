// Quadrilateral of a picture: covers the picture's place on the output. Its sides are 1, or more
// for pictures of lines, whose tables extend beyond 0 .. 1.

uniform vec2 corners[4], sides;
out vec2 current_at;

void main() {
    current_at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * sides;
    gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0);
}
