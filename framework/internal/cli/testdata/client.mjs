// Lists the tools with the official TypeScript client, which then checks every
// structured result against its schema, and calls each with bad arguments.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, workspace] = process.argv.slice(2);
const client = new Client({ name: "client.mjs", version: "1" });
await client.connect(new StdioClientTransport({ command, args: ["mcp", "--workspace", workspace, "--toolsets", "manual,vault,bridge"] }));
const { tools } = await client.listTools();
for (const { name } of tools) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: { no_such_argument: 1 } });
  if (!isError || !structuredContent.error.message) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
}
const { isError, structuredContent } = await client.callTool({ name: "manual_find", arguments: { query: "RAID" } });
if (isError || structuredContent.summary.candidates === 0) throw new Error(JSON.stringify(structuredContent));
console.log(`${tools.length} tools, every error was read`);
await client.close();
