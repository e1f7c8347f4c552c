export { McpBridgeError, McpCallError } from './client/mcpErrors.js';
export {
  followMcp,
  type McpChangeStream,
  type McpFollower,
  type McpNotifyingConnection,
  type McpNotifyingSource,
} from './client/followMcp.js';
export { getMcpPrompt, type RemotePrompt, type RemotePromptOptions } from './client/getMcpPrompt.js';
export type { McpBridgeOptions, RemoteTool, RemoteToolOptions } from './client/McpBridgeOptions.js';
export type {
  McpAnswerSchema,
  McpCapabilities,
  McpConnection,
  McpConnectionSource,
  McpRequestOptions,
} from './client/McpConnection.js';
export { diffMcpPins, type McpPinDiffOptions } from './client/pins/diffMcpPins.js';
export { pinFile, type McpPinChange, type McpPinStore } from './client/pins/McpPins.js';
export { mcpSection, type McpSectionOptions } from './client/mcpSection.js';
export { toolkitFromMcp, type McpToolkitOptions } from './client/toolkitFromMcp.js';
export { type ClientCapability, McpClient, type McpQuestionOptions } from './server/McpClient.js';
export type { McpAuthorizationOptions } from './server/authorization/McpAuthorizationOptions.js';
export { McpContent, type McpData } from './server/McpContent.js';
export type { McpHttpOptions, McpRequestInfo } from './server/McpHttpOptions.js';
export type { McpPeer } from './server/McpClient.js';
export type { McpPrompt, McpPromptArgument } from './server/McpPrompt.js';
export type { McpResource, McpResourceInfo, McpResourceTemplate } from './server/McpResource.js';
export type { McpStateStore } from './server/stateless/McpStateStore.js';
export type { McpSkill } from './server/McpSkill.js';
export type { McpTaskOptions, McpTaskRule, McpTaskSupport } from './server/tasks/McpTaskOptions.js';
export { McpServerError } from './server/McpServerError.js';
export type { McpServerOptions } from './server/McpServerOptions.js';
export type { McpListenOptions, McpService } from './server/McpService.js';
export { serveMcp } from './server/serveMcp.js';
