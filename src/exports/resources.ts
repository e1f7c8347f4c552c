// Resources: scopes, bindings, errors.
export {
  DuplicateBindingError,
  ProviderError,
  ResourceBusyError,
  ResourceCloseError,
  ResourceError,
  UnboundResourceError,
} from '../error/infrastructureErrors.js';
export type { OutcomeRecord } from '../interface/OutcomeRecord.js';
export type { ResourceBinding, ResourceLifetime, ResourceScope, ToolOfCall } from '../interface/ResourceBinding.js';
export type { BindOptions, BoundPrototype, BoundProvider, BoundValue } from '../resource/bind.js';
export type { CallTransactionBinding, CallTransactionOptions } from '../resource/callTransaction.js';
