/**
 * The mutants: each has one text of the contracts, and its replacement while the mutant is active.
 *
 * `awake(n)` is true in the contract when mutant n was chosen. One build contains all of them, so each is a choice between the original and
 * the replacement. Mutant 0 is the original escrow.
 */
import { mutantSlot } from './escrow-under-test.ts'

export type Mutant = {
  name: string
  /** The test that should see it, or `invariants` for the fuzz; if it does not, all the tests are asked. */
  triedFirst: string
  file: string
  text: string
  becomes: string
}

const oz = '@openzeppelin/contracts/utils'
const at = (part: string) => `contracts/escrow/${part}.sol`

/** In the order of their numbers, from 1. The first twelve are those of the threat list; the rest are this escrow's own. */
export const mutants: readonly Mutant[] = [
  {
    name: 'the lock is dropped',
    triedFirst: 'attacks/reentry',
    file: at('ReentrancyLock'),
    text: 'if (_isLocked != 0) revert',
    becomes: 'if (_isLocked != 0 && !awake(1)) revert',
  },
  {
    name: 'a credit is cleared after it was sent',
    triedFirst: 'attacks/reentry',
    file: at('Credits'),
    text: `        credit[token][account] = 0;
        emit CreditWithdrawn(token, account, to, amount);
        IERC20(token).safeTransfer(to, amount);`,
    becomes: `        if (!awake(2)) credit[token][account] = 0;
        emit CreditWithdrawn(token, account, to, amount);
        IERC20(token).safeTransfer(to, amount);
        if (awake(2)) credit[token][account] = 0;`,
  },
  {
    name: 'what arrives is not measured',
    triedFirst: 'attacks/tokens',
    file: at('PlanFunding'),
    text: 'if (received < expected) revert',
    becomes: 'if (received < expected && !awake(3)) revert',
  },
  {
    name: 'the evaluator gets what the client is owed',
    triedFirst: 'invariants',
    file: at('PlanPayments'),
    text: 'if (_push(id, terms.getToken(), terms.getClient(), amount))',
    becomes: 'if (_push(id, terms.getToken(), awake(4) ? terms.getEvaluator() : terms.getClient(), amount))',
  },
  {
    name: 'a refund is a second late',
    triedFirst: 'attacks/griefing',
    file: at('PlanDisputes'),
    text: '        _requireFrom(from);',
    becomes: '        _requireFrom(from + (awake(5) ? 1 : 0));',
  },
  {
    name: 'a nonce is not used up',
    triedFirst: 'attacks/signatures',
    file: at('Credits'),
    text: 'uint256 nonce = nonceOf[account]++;',
    becomes: 'uint256 nonce = awake(6) ? nonceOf[account] : nonceOf[account]++;',
  },
  {
    name: 'the chain in the domain is the one at deployment',
    triedFirst: 'attacks/structure',
    file: `${oz}/cryptography/EIP712.sol`,
    text: 'if (address(this) == _cachedThis && block.chainid == _cachedChainId) {',
    becomes: 'if (address(this) == _cachedThis && (awake(7) || block.chainid == _cachedChainId)) {',
  },
  {
    name: 'a refused transfer reverts, where it should be credited',
    triedFirst: 'attacks/tokens',
    file: at('PlanPayments'),
    text: '        if (!sent) {',
    becomes: '        if (!sent && awake(8)) revert BadRecipient(to);\n        if (!sent) {',
  },
  {
    name: 'a refund of disputed steps does not wait for the expiry',
    triedFirst: 'attacks/griefing',
    file: at('PlanDisputes'),
    text: `_payable(terms, charter);
        _requireFrom(terms.getExpiry());`,
    becomes: `_payable(terms, charter);
        if (!awake(9)) _requireFrom(terms.getExpiry());`,
  },
  {
    name: 'the fee is rounded up',
    triedFirst: 'attacks/rounding',
    file: at('PlanStore'),
    text: 'return amount * feeBps / BPS;',
    becomes: 'return (amount * feeBps + (awake(10) ? BPS - 1 : 0)) / BPS;',
  },
  {
    name: 'a charter may come to more than the plan holds',
    triedFirst: 'attacks/rounding',
    file: at('PlanStore'),
    text: 'if (sum > terms.getTotal()) revert OverAllocated',
    becomes: 'if (sum > terms.getTotal() && !awake(11)) revert OverAllocated',
  },
  {
    name: 'a closed plan lives on',
    triedFirst: 'attacks/griefing',
    file: at('PlanStore'),
    text: 'if (status == uint8(PlanStatus.Closed)) revert',
    becomes: 'if (status == uint8(PlanStatus.Closed) && !awake(12)) revert',
  },
  {
    name: 'a plan that was never funded can be refunded',
    triedFirst: 'drain',
    file: at('PlanStore'),
    text: 'if (status == uint8(PlanStatus.None)) revert',
    becomes: 'if (status == uint8(PlanStatus.None) && !awake(13)) revert',
  },
  {
    name: 'a step is paid as often as asked',
    triedFirst: 'attacks/griefing',
    file: at('PlanStore'),
    text: 'if (!slot.isPending(low)) revert',
    becomes: 'if (!slot.isPending(low) && !awake(14)) revert',
  },
  {
    name: 'anybody’s word is the evaluator’s',
    triedFirst: 'attacks/signatures',
    file: at('PlanStore'),
    text: 'if (!good) revert BadSignature(signer);',
    becomes: 'if (!good && !awake(15)) revert BadSignature(signer);',
  },
  {
    name: 'silence pays before its time',
    triedFirst: 'attacks/griefing',
    file: at('PlanSettlement'),
    text: '_requireFrom(terms.getReviewBy());',
    becomes: 'if (!awake(16)) _requireFrom(terms.getReviewBy());',
  },
  {
    name: 'a closing plan keeps no fee for its disputed steps',
    triedFirst: 'attacks/griefing',
    file: at('PlanPayments'),
    text: 'kept = amount + fee;',
    becomes: 'kept = amount + (awake(17) ? 0 : fee);',
  },
  {
    name: 'a royalty is not taken out of the pay',
    triedFirst: 'attacks/rounding',
    file: at('PlanPayments'),
    text: 'if (withheld.length != 0) sum -= withheld[i];',
    becomes: 'if (withheld.length != 0 && !awake(18)) sum -= withheld[i];',
  },
  {
    name: 'who is dropped from a charter is not asked',
    triedFirst: 'seal-members',
    file: at('PlanCharters'),
    text: 'i < steps.length + replaced.length',
    becomes: 'i < steps.length + (awake(19) ? 0 : replaced.length)',
  },
  {
    name: 'the client alone closes over steps that it owes',
    triedFirst: 'release',
    file: at('PlanSettlement'),
    text: 'if (owed != 0) revert',
    becomes: 'if (owed != 0 && !awake(20)) revert',
  },
  {
    name: 'who put a step before the arbitrator is forgotten',
    triedFirst: 'close-expired',
    file: at('PlanDisputes'),
    text: 'if (by != terms.getClient()) _marks',
    becomes: 'if (by != terms.getClient() && !awake(21)) _marks',
  },
  {
    name: 'a proposal pays within its veto window',
    triedFirst: 'authorize-charter',
    file: at('PlanStore'),
    text: 'if (!slot.authorized()) _requireFrom(_marks[id].payableFrom);',
    becomes: 'if (!slot.authorized() && !awake(22)) _requireFrom(_marks[id].payableFrom);',
  },
  {
    name: 'a proposal replaces an authorized charter',
    triedFirst: 'attacks/keys',
    file: at('PlanCharters'),
    text: 'if (slot.authorized()) revert CharterAuthorized(current);',
    becomes: 'if (slot.authorized() && !awake(23)) revert CharterAuthorized(current);',
  },
  {
    name: 'a proposal counts after a veto',
    triedFirst: 'authorize-charter',
    file: at('PlanCharters'),
    text: 'if (slot.vetoed() || slot.noticed()) revert ProposalRefused(id);',
    becomes: 'if ((slot.vetoed() || slot.noticed()) && !awake(24)) revert ProposalRefused(id);',
  },
  {
    name: 'a veto comes after its window',
    triedFirst: 'authorize-charter',
    file: at('PlanCharters'),
    text: '_requireBefore(_marks[id].payableFrom);',
    becomes: 'if (!awake(25)) _requireBefore(_marks[id].payableFrom);',
  },
  {
    name: 'a closing ends submitted work',
    triedFirst: 'attacks/keys',
    file: at('PlanPayments'),
    text: 'return pending & _marks[id].submitted;',
    becomes: 'return awake(26) ? 0 : pending & _marks[id].submitted;',
  },
  {
    name: 'the expiry beats submitted work',
    triedFirst: 'attacks/keys',
    file: at('PlanDisputes'),
    text: 'if (owed != 0) revert StepsOwed(uint64(owed));',
    becomes: 'if (owed != 0 && !awake(27)) revert StepsOwed(uint64(owed));',
  },
  {
    name: 'an item of a batch may burn all the gas',
    triedFirst: 'seal-and-settle',
    file: 'contracts/libraries/Batches.sol',
    text: 'call(gasEach, address(), 0, start',
    becomes: `call(or(gasEach, sub(0, eq(sload(${mutantSlot}), 28 /* awake(28) */))), address(), 0, start`,
  },
  {
    name: 'a batch pays what nobody attested',
    triedFirst: 'settle-many',
    file: at('PlanSettlement'),
    text: '(Batches.isAttested(who, structHash) || _caller() == who)',
    becomes: '(Batches.isAttested(who, structHash) || _caller() == who || (awake(29) && msg.sender == address(this)))',
  },
  {
    name: 'nobody looks at the signature of a batch',
    triedFirst: 'settle-many',
    file: at('PlanSettlement'),
    text: 'if (batch.attestations.length != 0) {',
    becomes: 'if (batch.attestations.length != 0 && !awake(30)) {',
  },
  {
    name: 'the evaluator halves what the terms do not split',
    triedFirst: 'settle-on-silence',
    file: at('PlanSettlement'),
    text: 'if (!_silenceSplits(terms)) revert SilenceSplitsNothing();',
    becomes: 'if (!_silenceSplits(terms) && !awake(31)) revert SilenceSplitsNothing();',
  },
]
