// Full-screen triangle: covers the output, and passes on its corners' positions in two pictures.
// The sides of a picture are 1.

uniform vec2 current_corners[3], old_corners[3];
out vec2 current_at, old_at;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    current_at = current_corners[gl_VertexID];
    old_at = old_corners[gl_VertexID];
}
