import type { Application, BoundPrompt, Logger } from 'toolwright';
import type { McpPeer } from '../McpClient.js';
import type { McpServerOptions } from '../McpServerOptions.js';
import type { McpTaskOptions } from './McpTaskOptions.js';

/** The services that the tasks of a server use. */
export interface TaskServices {
  readonly app: Application;
  readonly promptFor: (peer: McpPeer) => BoundPrompt | Promise<BoundPrompt>;
  readonly options: Pick<McpServerOptions, 'runMetadata'>;
  readonly settings: McpTaskOptions;
  readonly logger: Logger;
  /** The names of tools that were warned of, because they ask after effects. */
  readonly askedLate: Set<string>;
}
