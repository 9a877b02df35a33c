import { startMysql } from './mysql.ts';
import { rmSync } from 'node:fs';
const say=(l:string)=>console.log('say',l);
let bad=0;
await Promise.all([1,2,3].map(async (n)=>{ for(let i=0;i<20;i++){ const d=`/tmp/h2/st/${n}-${i}`; try { const m=await startMysql({dataDir:d,announce:say}); await m.kill(); await m.stop(); } catch(e){ bad++; console.log(String(e)); } rmSync(d,{recursive:true,force:true}); } }));
console.log('bad',bad);
