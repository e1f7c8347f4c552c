// The imports that an application needs to declare a tool, by library.
export async function peers() {
  const entries = {
    'AI SDK 7 with zod': ['ai', 'zod'],
    'OpenAI Agents with zod': ['@openai/agents', 'zod'],
    'LangChain tools with zod': ['@langchain/core/tools', 'zod'],
    'Mastra tools with zod': ['@mastra/core/tools', 'zod'],
    'MCP SDK 1 server with zod': ['@modelcontextprotocol/sdk/server/mcp.js', 'zod'],
    'MCP SDK 2 server with zod': ['@modelcontextprotocol/server', 'zod'],
    'Nest core': ['@nestjs/core', '@nestjs/common'],
  };
  const contenders = Object.fromEntries(Object.entries(entries).map(([name, specifiers]) => [name, () => specifiers]));
  return { contenders };
}
