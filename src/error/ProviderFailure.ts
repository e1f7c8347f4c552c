/**
 * Why a provider did not answer a request, if another provider may:
 *
 * - `throttled`: too many requests
 * - `quota`: the account is used up
 * - `auth`: the key is not valid, or may not use the model
 * - `content_policy`: the provider does not answer this content
 * - `cut_off`: the answer broke off, or was too long
 * - `down`: the provider could not be reached, or failed
 * - `too_long`: the conversation does not fit into the model's context
 */
export type ProviderFailure = 'throttled' | 'quota' | 'auth' | 'content_policy' | 'cut_off' | 'down' | 'too_long';
