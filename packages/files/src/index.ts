// The filesystem of a host, for tools that work on real files.
export { HostFilesystem, type HostFilesystemOptions } from './HostFilesystem.js';
