// Calls every tool of a server with the official client, over standard input and output or over HTTP:
//   node client.mjs http://127.0.0.1:7777/mcp
//   node client.mjs PROGRAM ARGUMENT...
// It prints a line per call. The client itself checks each result against the tool's output schema.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [target, ...args] = process.argv.slice(2);
const transport = target.startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env, stderr: 'inherit' });
const client = new Client({ name: 'test', version: '1' });
await client.connect(transport);

const { tools } = await client.listTools();
let wrong = 0;
for (const { name } of tools) {
  const result = await client.callTool({ name, arguments: { no_such_argument: 1 } });
  const code = result.structuredContent?.error?.code;
  console.log(name, result.isError, code);
  if (!result.isError || !code) wrong++;
}
const found = await client.callTool({ name: 'manual_find', arguments: { query: 'RAID1 交換' } });
const { manual_id, path, lines } = found.structuredContent.passages[0];
const ref = { manual_id, path, start_line: parseInt(lines) };
const read = await client.callTool({ name: 'manual_read', arguments: { ref } });
console.log('manual_find', found.structuredContent.passages.length, 'manual_read', read.structuredContent.text.length);
await client.close();
process.exit(wrong === 0 && read.structuredContent.text.length > 0 ? 0 : 1);
