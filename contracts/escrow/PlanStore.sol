// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {FactoryCaller} from "./FactoryCaller.sol";
import {ReentrancyLock} from "./ReentrancyLock.sol";
import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {CharterCalldata} from "../libraries/CharterCalldata.sol";
import {PlanSlot, PlanSlots} from "../libraries/PlanSlot.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {WordHash} from "../libraries/WordHash.sol";
import {Signatures} from "../libraries/Signatures.sol";

/// @title The stored state of the escrow, and the checks that a plan, a charter or a step is the signed one
/// @dev Calls bring terms and charters in calldata, and name them by their hash. Storage holds one word per plan, one
///      hash per charter sealed after funding, and one word for submissions and disputes by payees. There is no
///      total of all plans, and no payment depends on a balance. A plan may pay its own `remaining`, which only
///      funding raises.
abstract contract PlanStore is IPlanEscrow, EIP712, ReentrancyLock {
    using TermsCalldata for Terms;
    using CharterCalldata for Charter;
    using CharterCalldata for Step[];
    using CharterCalldata for Royalty[];

    uint256 internal constant BPS = 10_000;
    /// @dev The three bits of `onSilence`.
    uint8 internal constant SILENCE_PAYS = 1;
    uint8 internal constant SILENT_REPLACED = 2;
    uint8 internal constant SILENCE_SPLITS = 4;
    uint256 private constant MAX_STEPS = 64;
    uint256 private constant MAX_ROYALTIES = 64;
    uint256 private constant MAX_ROYALTY_BPS = 5000;

    bytes32 private constant TERMS_TYPEHASH = keccak256(
        "Terms(address client,address token,uint96 total,uint40 workBy,uint40 reviewBy,uint40 expiry,uint16 feeBps,address feeTo,address evaluator,address arbitrator,address authorizer,uint32 vetoSeconds,uint8 onSilence,bytes32 charter,bytes32 briefHash,uint256 salt)"
    );

    FactoryCaller private immutable _factoryCaller = new FactoryCaller();

    /// @dev A struct of one, so that its place is reckoned once where it is read and written.
    struct Plan {
        PlanSlot slot;
    }

    /// @dev Bits of steps stay in every state of the step, until the charter that has them is replaced or void.
    struct Marks {
        uint64 submitted;
        uint64 disputedByPayee;
        uint40 payableFrom;
        uint40 closableFrom;
    }

    /// @dev Written by each batch before its items read it.
    address internal transient _batchCaller;

    mapping(bytes32 id => Plan) internal _plans;
    mapping(bytes32 id => Marks) internal _marks;
    /// @inheritdoc IPlanEscrow
    mapping(bytes32 id => bytes32) public charterOf;
    /// @inheritdoc IPlanEscrow
    mapping(address token => mapping(address account => uint256)) public credit;
    /// @inheritdoc IPlanEscrow
    mapping(address account => mapping(address signer => bool)) public isSigner;
    /// @inheritdoc IPlanEscrow
    mapping(address account => uint256) public nonceOf;

    /// @inheritdoc IPlanEscrow
    /// @dev Hashes the sixteen words as they stand. A word with dirty high bits gives an id that no account signed, and is
    ///      refused wherever its field is read.
    function planId(Terms calldata terms) public view returns (bytes32) {
        bytes32 typehash = TERMS_TYPEHASH;
        bytes32 structHash;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, typehash)
            calldatacopy(add(start, 0x20), terms, 0x200)
            structHash := keccak256(start, 0x220)
        }
        return _hashTypedDataV4(structHash);
    }

    /// @inheritdoc IPlanEscrow
    function marks(bytes32 id)
        external
        view
        returns (uint64 submitted, uint64 disputedByPayee, uint40 payableFrom, uint40 closableFrom)
    {
        Marks storage stored = _marks[id];
        return (stored.submitted, stored.disputedByPayee, stored.payableFrom, stored.closableFrom);
    }

    function _requireOpen(bytes32 id) internal view returns (PlanSlot slot) {
        slot = _plans[id].slot;
        uint8 status = slot.status();
        if (status == uint8(PlanStatus.None)) revert NotFunded(id);
        if (status == uint8(PlanStatus.Closed)) revert AlreadyClosed(id);
    }

    /// @dev The plan, once it is sure that `charter` is the one in force, and what that is bound by.
    function _inForce(Terms calldata terms, Charter calldata charter)
        internal
        view
        returns (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties, bytes32 actual)
    {
        id = planId(terms);
        slot = _requireOpen(id);
        (steps, royalties) = charter.parts();
        bytes32 expected = terms.charter;
        if (expected == 0) {
            if (!slot.sealed_()) revert NotSealed(id);
            expected = charterOf[id];
        } else {
            // A charter in the terms was not checked when the plan was funded.
            _requireSound(terms, steps, royalties);
        }
        actual = _bind(steps.hash(), royalties.hash(), charter.charterHash);
        if (actual != expected) revert CharterMismatch(actual, expected);
    }

    /// @dev As {_inForce}, once it is also sure that money may move by this charter.
    function _payable(Terms calldata terms, Charter calldata charter)
        internal
        view
        returns (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties, bytes32 binding)
    {
        (id, slot, steps, royalties, binding) = _inForce(terms, charter);
        if (!slot.authorized()) _requireFrom(_marks[id].payableFrom);
    }

    /// @dev Answers the steps' place in the codes, as {PlanSlots-spread} does.
    function _requirePending(PlanSlot slot, uint256 count, uint256 bits) internal pure returns (uint256 low) {
        if (bits >> count != 0) revert StepOutOfRange(uint64(bits), count);
        low = PlanSlots.spread(bits);
        if (!slot.isPending(low)) revert StepNotPending(uint64(bits & ~slot.pendingBits()));
    }

    /// @dev Whether these steps and royalties may be paid out of these terms.
    function _requireSound(Terms calldata terms, Step[] calldata steps, Royalty[] calldata royalties) internal view {
        uint256 count = steps.length;
        if (count == 0 || count > MAX_STEPS) revert BadStepCount(count, MAX_STEPS);
        (address evaluator, address arbitrator) = (terms.getEvaluator(), terms.getArbitrator());
        (uint256 sum, uint256 barred) = steps.examine(evaluator, arbitrator);
        if (barred != count) revert BadPayee(barred, steps.payeeAt(barred));
        unchecked {
            sum += _fee(sum, terms.getFeeBps());
        }
        if (sum > terms.getTotal()) revert OverAllocated(sum, terms.getTotal());

        if (royalties.length == 0) return;
        if (royalties.length > MAX_ROYALTIES) revert BadRoyalty(MAX_ROYALTIES);
        uint256 last;
        uint256 share;
        for (uint256 i = 0; i < royalties.length; ++i) {
            Royalty calldata royalty = royalties[i];
            uint256 step = royalty.step;
            share = step == last ? share + royalty.bps : royalty.bps;
            if (step < last || step >= count || share > MAX_ROYALTY_BPS) revert BadRoyalty(i);
            if (_isBarred(royalty.to, evaluator, arbitrator)) revert BadPayee(step, royalty.to);
            last = step;
        }
    }

    function _requireBefore(uint256 until) internal view {
        if (block.timestamp >= until) revert TooLate(block.timestamp, until);
    }

    function _requireFrom(uint256 from) internal view {
        if (block.timestamp < from) revert TooEarly(block.timestamp, from);
    }

    function _requireNotAfter(uint256 time, uint256 until) internal pure {
        if (time > until) revert TooLate(time, until);
    }

    /// @dev By its call, or by its signature.
    function _requireCallOrSignature(address who, bytes32 structHash, bytes calldata signature) internal {
        if (signature.length != 0 || _caller() != who) _requireSigned(who, structHash, signature);
    }

    /// @dev By the call or signature of the client, or those of its authorizer. The authorizer signs as a key only.
    function _requireClientSide(Terms calldata terms, bytes32 structHash, bytes calldata signature) internal {
        address authorizer = terms.getAuthorizer();
        if (authorizer != address(0)) {
            if (signature.length == 0 && _caller() == authorizer) return;
            if (Signatures.isSignedByKey(authorizer, _hashTypedDataV4(structHash), signature)) return;
        }
        _requireCallOrSignature(terms.getClient(), structHash, signature);
    }

    /// @dev Within a batch, who called it: the escrow calls itself there and nowhere else.
    function _caller() internal view returns (address) {
        return msg.sender == address(this) ? _batchCaller : msg.sender;
    }

    function _requireSigned(address signer, bytes32 structHash, bytes calldata signature) internal {
        bytes32 digest = _hashTypedDataV4(structHash);
        if (Signatures.isSignedByKey(signer, digest, signature)) return;
        bool good = Signatures.isSignedByWallet(_factoryCaller, signer, digest, signature);
        if (!good) revert BadSignature(signer);
    }

    function _silencePays(Terms calldata terms) internal pure returns (bool) {
        return terms.getOnSilence() & SILENCE_PAYS != 0;
    }

    function _silenceSplits(Terms calldata terms) internal pure returns (bool) {
        return terms.getOnSilence() & SILENCE_SPLITS != 0;
    }

    /// @dev The EIP-712 struct hash of most of what is signed about a plan: six words, of which the first three are these.
    function _hashStruct(bytes32 typehash, bytes32 id, PlanSlot slot, uint256 fourth, uint256 fifth, bytes32 sixth)
        internal
        pure
        returns (bytes32)
    {
        return WordHash.hash(typehash, id, slot.version(), fourth, fifth, sixth);
    }

    /// @dev Whether `who` is the payee, or may sign for it.
    function _isPayeeOrSigner(address who, address payee) internal view returns (bool) {
        return who == payee || isSigner[payee][who];
    }

    function _fee(uint256 amount, uint256 feeBps) internal pure returns (uint256) {
        // At most 64 amounts of 96 bits, and 14 bits of hundredths.
        unchecked {
            return amount * feeBps / BPS;
        }
    }

    function _bind(bytes32 stepsHash, bytes32 royaltiesHash, bytes32 charterHash) internal pure returns (bytes32) {
        return WordHash.hash(stepsHash, royaltiesHash, charterHash);
    }

    function _isBarred(address account, address evaluator, address arbitrator) private view returns (bool) {
        return account == address(0) || account == address(this) || account == evaluator || account == arbitrator;
    }
}
