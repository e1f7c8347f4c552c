// The view of an approval for any page: a web component without dependencies.
export {
  registerApproval,
  type ApprovalElement,
  type ApproveDetail,
  type DenyDetail,
  type OutcomeDetail,
} from './registerApproval.js';
