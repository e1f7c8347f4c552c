// The client of the skills scenarios: lists the skills, and loads the first one unless the scenario forbids it. A skill that fails its
// verification is not used, and no other file of it is read.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient, SkillVerificationError } from '@modelcontextprotocol/client/ext/skills';

const url = process.argv.at(-1);
const client = new Client({ name: 'skills-client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const skills = new SkillsClient(client);
const { skills: listed } = await skills.list();
if (process.env.MCP_CONFORMANCE_SCENARIO !== 'sep-2640-client-no-prefetch') {
  const [skill] = listed;
  try {
    await skills.read(skill);
    for (const { uri } of skill.resources) await skills.read(skill, uri);
  } catch (error) {
    if (!(error instanceof SkillVerificationError)) throw error;
    console.error(`refused: ${error.message}`);
  }
}
await client.close();
