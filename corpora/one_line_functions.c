/* Whole functions on one line, many statements per line and no white space
   that is not needed.  Line numbers do not tell statements apart, and inserted
   text may join two tokens that were apart only by a bracket. */
#include <stdint.h>
#include <stdio.h>
static uint32_t hash=577;static int a=1,b=2,c=3;static unsigned char d[4]={9,8,7,6};
static void mix(uint32_t v){hash=(hash^v)*16777619u;}
static int f(int n){int r=0;for(int i=0;i<n;i++){if(i&1)r+=i;else r-=2;}while(r<0)r+=5;return r;}
static int g(int n){switch(n%4){case 0:return-1;case 1:n++;case 2:n*=2;break;default:n=-n;}return n;}
static int h(int*p){do--*p;while(*p>3);if(*p==3)goto x;*p=a+++b;x:return*p;}
static int k(short s,unsigned char u){return s?u?s-u:s:u?-u:+0;}
static int m(int x){int y=x,*p=&y;y=y/ *p+-x- -y;return y-*p+x;}
static int o(unsigned u){int z=0;while(u){z+=u&1;u>>=1;}return!z?-1:z<<2;}
static int F(const char*s){int z=0;while(*s)z=z*2%999+*s++;return z;}
struct w{int x;short y[2];}w={1,{2,3}},*v=&w;static int r(int x){v->x+=x;(*v).y[x&1]-=x;return v->x*w.y[0]-w.y[1];}
static int s(int x){return x>0?({int t=x;t*=t;t;}):0;}
static int u(int x){x:x-=3;if(x>0)goto x;{y:x++;}if(x<-5)goto y;return~x;}
#define Z(x)x;x;
static int y(int x){Z(x+=2)Z(if(x>9)x-=4;else x++)return x;}
static int z(int x,int y){return x<y?x<<y%5:x>y?x>>y%5:x&&y||!x;}
static int A(int x){int i,j=0;for(i=x;i;i--)for(;j<i*i;j+=i)if(j%7==3)break;else continue;return i+j;}
static int B(int x){static int y;y+=x;return y>20?y-=20:y;}
static int C(int(*f)(int),int x){return f(f(x))-(*f)(x);}
static int D(int x){enum{p=2,q}e=x>3?p:q;return e*x;}
static int E(int x){union{int i;unsigned char c[4];}u;u.i=x;u.c[0]++;return u.i;}
static void n(void){{int a=5;{int a=6;b+=a;}b-=a;}c=-c;c+= +c;;}
int main(void){int i,t=12;for(i=1;i<9;i++){int p=f(i),q=g(i);t+=i;q+=h(&t);n();d[i&3]^=(unsigned char)p;
printf("%d:%d %d %d %d %d %d\n",i,p,q,t,a,b,c);mix((uint32_t)p);mix((uint32_t)q);mix((uint32_t)(t+a+b+c));mix((uint32_t)k((short)(i-4),d[i&3]));mix((uint32_t)m(i));
mix((uint32_t)(o((unsigned)i)+F("one")+r(i)+s(i-3)));mix((uint32_t)u(i));mix((uint32_t)(y(i)+z(i,4)+A(i)+B(i)));mix((uint32_t)(C(B,i)+D(i)+E(i)));}
for(i=0;i<4;i++)mix(d[i]);printf("checksum = %08x\n",(unsigned)hash);return 0;}
