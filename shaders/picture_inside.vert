// A quadrilateral where one picture lies, whose sides are 1.

uniform vec2 corners[4];
out vec2 current_at;

void main() {
    current_at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0);
}
