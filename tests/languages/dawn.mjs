// Validates the WGSL of the trace with Dawn, and runs the recording of MUR_TEST_RECORD.
//   DAWN=FOLDER node dawn.mjs RECORD READ.wgsl WRITE.wgsl
// SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const module = join(process.env.DAWN, "node_modules/webgpu/index.js");
const { create, globals } = await import(pathToFileURL(module));
Object.assign(globalThis, globals);
globalThis.gpu = create([]); // global, because the process crashes if the object is collected
const adapter = await globalThis.gpu.requestAdapter();
const device = await adapter.requestDevice();
console.log(`device: ${adapter.info.description || adapter.info.vendor}`);

async function pipelineOf(file) {
  const code = readFileSync(file, "utf8");
  const module = device.createShaderModule({ code });
  for (const message of (await module.getCompilationInfo()).messages) {
    throw new Error(`${file}:${message.lineNum}: ${message.message}`);
  }
  return device.createComputePipelineAsync({ layout: "auto", compute: { module } });
}

function upload(bytes) {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const buffer = device.createBuffer({ size: bytes.length, usage: STORAGE | COPY_SRC | COPY_DST });
  device.queue.writeBuffer(buffer, 0, bytes);
  return buffer;
}

async function run(pipeline, buffers) {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  const results = buffers.map((buffer) => {
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    const copy = device.createBuffer({ size: buffer.size, usage: MAP_READ | COPY_DST });
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
    return copy;
  });
  device.queue.submit([encoder.finish()]);
  const bytes = [];
  for (const copy of results) {
    await copy.mapAsync(GPUMapMode.READ);
    bytes.push(Buffer.from(copy.getMappedRange().slice(0)));
    copy.destroy();
  }
  buffers.forEach((buffer) => buffer.destroy());
  return bytes;
}

const [record, ...files] = process.argv.slice(2);
const pipelines = await Promise.all(files.map(pipelineOf));
const bytes = readFileSync(record);
let at = 0;
const take = (size) => bytes.subarray(at, (at += size));
let operations = 0;
while (at < bytes.length) {
  const [size, count, writes] = [0, 4, 8].map((i) => bytes.readUInt32LE(at + i));
  take(12);
  const [image, given, wanted] = [size, 64 + 16 * count, 16 * count].map(take);
  const after = take(size);
  const answers = Buffer.alloc(wanted.length);
  const got = await run(pipelines[writes], [image, given, answers].map(upload));
  for (let i = 0; i < count; ++i) {
    const [is, should] = [got[2], wanted].map((b) => b.toString("hex", 16 * i, 16 * i + 16));
    if (is !== should) {
      throw new Error(`operation ${operations + i}: ${is} instead of ${should}`);
    }
  }
  if (!got[0].equals(after)) {
    throw new Error(`the table differs after operation ${operations + count}`);
  }
  operations += count;
}
console.log(`${operations} operations`);
process.exit(operations > 0 ? 0 : 1);
