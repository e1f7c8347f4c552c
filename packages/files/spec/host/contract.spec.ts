import { filesystemContract } from '../../../contracts/spec/filesystem.contract';
import { Folders } from './folders';

const folders = new Folders();
afterEach(() => folders.remove());

filesystemContract('host', () => folders.open());
