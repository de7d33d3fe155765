#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_nonuniform_qualifier : require
layout(location=0) in vec3 position; layout(location=1) in vec2 uv; layout(location=2) in uvec4 joints;
layout(location=0) out vec2 out_uv; layout(location=1) out flat uint id; layout(location=2) out vec3 n[2];
layout(set=0,binding=0) uniform G { mat4 view; mat3x2 odd; vec4 arr[3]; } g;
layout(buffer_reference, std430) buffer Node; 
layout(buffer_reference, std430) buffer Node { Node next; vec4 v; };
layout(push_constant) uniform P { mat4 m; Node node; uint k; } p;
struct Q { vec3 a; float b[2]; };
Q f(vec3 x, inout float y) { Q q; q.a = x*2; q.b[0]=y; y += 1; q.b[1]=dot(x,x); return q; }
void main(){ float y = 3; Q q = f(position, y); for(int i=0;i<4;i++){ if(q.a[i%3]>y) continue; if (i==3&&y>2) break; y += float(i); q.b[i&1]=y; }
 switch(p.k){case 0: y=1; break; case 1: y=2; default: y=y*2;}
 Node n1 = p.node.next; gl_Position = g.view*p.m*vec4(position,1)+n1.v*y+g.arr[joints.x%3] + vec4(g.odd*q.a.xyz,0,1); out_uv=uv; id=joints.y+gl_InstanceIndex; n[0]=q.a; n[1]=vec3(q.b[0],q.b[1],y); }
