import json,subprocess,os,resource,sys,threading,time,shutil
# per ctest program: CPU seconds in a fresh run with a shared cold cache, 2 at a time
ex=set('gpu long wgsl slang swiftshader windows gltf postgres'.split())
j=json.loads(subprocess.check_output(['ctest','--show-only=json-v1'],cwd='build'))
tests=[]
for t in j['tests']:
    p={x['name']:x['value'] for x in t.get('properties',[])}
    if ex&set(p.get('LABELS',[])): continue
    tests.append((t['name'],t['command'],p))
tests.sort(key=lambda t:-float(t[2].get('COST',0)))
cache='/tmp/cases_cache'; shutil.rmtree(cache,ignore_errors=True)
lock=threading.Lock();res=[]
it=iter(tests)
def run():
    while True:
        with lock:
            t=next(it,None)
        if not t: return
        env=dict(os.environ,MESA_SHADER_CACHE_DIR=cache)
        for e in t[2].get('ENVIRONMENT',[]):
            k,v=e.split('=',1);env[k]=v
        a=time.time()
        pr=subprocess.Popen(t[1],cwd=t[2].get('WORKING_DIRECTORY','build'),env=env,stdout=open('/tmp/cases_%s.log'%t[0],'w'),stderr=subprocess.STDOUT)
        _,st,ru=os.wait4(pr.pid,0)
        with lock: res.append((ru.ru_utime+ru.ru_stime,time.time()-a,t[0],st,p if False else ' '.join(t[2].get('LABELS',[]))))
th=[threading.Thread(target=run) for _ in range(2)]
a=time.time()
[x.start() for x in th];[x.join() for x in th]
res.sort(reverse=True)
print('total CPU %.1f wall %.1f'%(sum(r[0] for r in res),time.time()-a))
for r in res: print('%6.1f %6.1f %s %s'%(r[0],r[1],r[2],'' if r[3]==0 else 'FAILED'))
