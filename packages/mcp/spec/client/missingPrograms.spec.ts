import { toolkitFromMcp } from '@toolwright/mcp';
import { closeServers, connected } from '../support/clientServers';

jest.mock('@toolwright/programs', () => {
  throw Object.assign(new Error("Cannot find package '@toolwright/programs'"), { code: 'ERR_MODULE_NOT_FOUND' });
});
afterEach(closeServers);

test('toolkitFromMcp without @toolwright/programs names the package to install', async () => {
  const { client } = await connected({ tools: [{ name: 'q' }] });
  await expect(toolkitFromMcp(client)).rejects.toMatchObject({
    code: 'E415',
    place: 'toolkitFromMcp',
    remedy: 'npm install @toolwright/programs',
  });
});
