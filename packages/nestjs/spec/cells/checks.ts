import { AgentModule } from '../../../../samples/41-existing-app/agent/agent.module.js';
import { runStory } from '../../../../samples/41-existing-app/story.js';
import { descriptions } from './descriptions.js';
import { compressedDoorsOf, doorsOf } from './doors.js';
import { listen, type Check, type Platform } from './platform.js';

/** The story of the sample, on a platform. */
function storyOn(platform: Platform): Check {
  return {
    title: `${platform}: samples/41-existing-app`,
    run: async () => {
      const { nest, url } = await listen(platform, AgentModule);
      try {
        await runStory(nest, url, () => undefined);
      } finally {
        await nest.close();
      }
    },
  };
}

const platforms = (process.env['PLATFORMS'] ?? 'express,fastify').split(',') as readonly Platform[];

/** The checks of a cell. */
export const checks: readonly Check[] = [
  ...descriptions,
  ...platforms.flatMap((platform) => [...doorsOf(platform), ...compressedDoorsOf(platform), storyOn(platform)]),
];
