package code

import ("testing";"os";"path/filepath";"fmt";"time")
func TestZZ(t *testing.T){
 n:=0; var size int; t0:=time.Now()
 filepath.WalkDir(os.Getenv("ZZ"), func(p string, e os.DirEntry, err error) error {
  if err!=nil||e.IsDir() {return nil}
  src,_:=os.ReadFile(p)
  fmt.Fprintln(os.Stderr,p,len(src))
  if LeftOut(p,src)=="" { Cut(p,src); n++; size+=len(src) }
  return nil})
 fmt.Println(n,size,time.Since(t0), float64(size)/1e6/time.Since(t0).Seconds())
}
