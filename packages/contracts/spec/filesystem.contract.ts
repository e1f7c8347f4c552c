import {
  deletingContract,
  directoryContract,
  pathContract,
} from '../../../spec/resource/filesystem/contract/directoryContract';
import {
  globContract,
  grepContract,
  snapshotContract,
} from '../../../spec/resource/filesystem/contract/searchContract';
import type { OpenFilesystem } from '../../../spec/resource/filesystem/contract/support';
import {
  editingContract,
  readingContract,
  writingContract,
} from '../../../spec/resource/filesystem/contract/textContract';

/** The contract of every filesystem (docs/contract.md, 15). */
export function filesystemContract(name: string, open: OpenFilesystem): void {
  describe(`${name}: reading`, () => readingContract(open));
  describe(`${name}: writing`, () => writingContract(open));
  describe(`${name}: editing`, () => editingContract(open));
  describe(`${name}: directories`, () => directoryContract(open));
  describe(`${name}: deleting`, () => deletingContract(open));
  describe(`${name}: paths`, () => pathContract(open));
  describe(`${name}: glob`, () => globContract(open));
  describe(`${name}: grep`, () => grepContract(open));
  describe(`${name}: snapshots`, () => snapshotContract(open));
}
