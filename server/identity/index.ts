/**
 * Owns identity: people by their wallet, agents by their key or token.
 * Never knows what an agent offers or what an actor may do.
 * Reads audit.
 */

export { findAgentTokenHolder, issueAgentToken } from './agent-token.ts'
export {
  type AgentProof,
  type AuthenticatedAgent,
  authenticateAgent,
  findKnownAgents,
  type VerifiedKey,
  verifyProof,
} from './authenticate-agent.ts'
export { bindForeignAgentKey, findKeyProofs, type KeyProof } from './bind-foreign-agent-key.ts'
export { checkDelegation } from './check-delegation.ts'
export { createServerSigner } from './create-server-signer.ts'
export { findActorByToken } from './find-actor-by-token.ts'
export { issueApiToken } from './issue-api-token.ts'
export { issueNonce } from './issue-nonce.ts'
export { listSessions, type SessionView } from './list-sessions.ts'
export type { SignedIn, SignIn } from './open-session.ts'
export { revokeSession, signOut } from './revoke-session.ts'
export { parseOperators, sessionLifetimeMs, signIn } from './sign-in.ts'
export { siweMessageLifetimeMs, siweStatement } from './siwe-message.ts'
export { findKey, unbindAgentKey } from './unbind-agent-key.ts'
export { verifyDidKeySignature } from './verify-did-key-signature.ts'
export { createWalletVerifier } from './wallet-verifier.ts'
