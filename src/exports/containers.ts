// Containers that build sections: the port, and adapters.
export { CircularDependencyError } from '../error/infrastructureErrors.js';
export type { ContainedHandler, ContainerAdapter } from '../interface/ContainerAdapter.js';
export { PlainContainer } from '../container/PlainContainer.js';
export { fromTypedi, type TypediContainers, type TypediOptions } from '../container/TypediContainer.js';
