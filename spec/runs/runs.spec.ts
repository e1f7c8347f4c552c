import { join } from 'node:path';
import { FileRuns } from 'toolwright/conversations';
import { runsBehaviour } from './runsBehaviour';

runsBehaviour((folder) => new FileRuns(join(folder, 'runs')));
