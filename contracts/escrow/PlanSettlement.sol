// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {Batches} from "../libraries/Batches.sol";
import {CharterCalldata} from "../libraries/CharterCalldata.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {SettlementCalldata} from "../libraries/SettlementCalldata.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {WordHash} from "../libraries/WordHash.sol";
import {PlanCharters} from "./PlanCharters.sol";
import {PlanPayments} from "./PlanPayments.sol";

/// @title Paying steps: because the evaluator signs it, because the client does, or because no party acts
abstract contract PlanSettlement is PlanCharters, PlanPayments {
    using CharterCalldata for Charter;
    using SettlementCalldata for Settlement;
    using TermsCalldata for Terms;

    bytes32 private constant ATTESTATION_TYPEHASH =
        keccak256("Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)");
    bytes32 private constant HALF_ATTESTATION_TYPEHASH =
        keccak256("HalfAttestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "Batch(Attestation[] attestations)Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)"
    );
    bytes32 private constant RELEASE_TYPEHASH =
        keccak256("Release(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)");
    bytes32 private constant ACKNOWLEDGEMENT_TYPEHASH = keccak256(
        "Submission(bytes32 planId,bytes32 charter,uint64 bits,bytes32 outputsHash,uint40 receivedAt)"
    );

    /// @inheritdoc IPlanEscrow
    function settle(Settlement calldata settlement) external nonReentrantOrOwn {
        _conclude(settlement, ATTESTATION_TYPEHASH, settlement.terms.getEvaluator(), false);
    }

    /// @inheritdoc IPlanEscrow
    function settleMany(Batch calldata batch) external nonReentrant returns (uint256 okBitmap) {
        return _batch(batch, this.settle.selector);
    }

    /// @inheritdoc IPlanEscrow
    function sealAndSettle(SealedSettlement calldata one) external nonReentrantOrOwn {
        Terms calldata terms = one.sealing.terms;
        bytes32 id = planId(terms);
        PlanSlot slot = _requireOpen(id);
        (Step[] calldata steps, Royalty[] calldata royalties) = one.sealing.charter.parts();
        (uint256 bits, bool close) = (one.bits, one.close);
        bytes32 binding;
        if (slot.authorized() && slot.version() == one.sealing.version) {
            // Another caller submitted it already.
            (,,,, binding) = _inForce(terms, one.sealing.charter);
        } else {
            (slot, binding) = _admit(id, slot, one.sealing, steps[:0]);
            if (!slot.authorized()) revert ProposalRefused(id);
            // With `close` nothing can stay open, since nothing was handed in or disputed: no account will ask for it again.
            if (!close) charterOf[id] = binding;
        }

        uint256 low = _requirePending(slot, steps.length, bits);
        _requireConcluded(
            terms.getEvaluator(),
            _hashConclusion(ATTESTATION_TYPEHASH, id, binding, bits, close, one.conclusionHash),
            one.signature
        );
        emit StepsSettled(id, uint64(bits), one.conclusionHash);
        _carryOut(id, slot.withPendingPaid(low), terms, steps, royalties, bits, close);
    }

    /// @inheritdoc IPlanEscrow
    function sealAndSettleMany(Batch calldata batch) external nonReentrant returns (uint256 okBitmap) {
        return _batch(batch, this.sealAndSettle.selector);
    }

    /// @inheritdoc IPlanEscrow
    function release(Settlement calldata settlement) external nonReentrant {
        _conclude(settlement, RELEASE_TYPEHASH, settlement.terms.getClient(), true);
    }

    /// @inheritdoc IPlanEscrow
    function settleHalf(Settlement calldata settlement) external nonReentrant {
        Terms calldata terms = settlement.terms;
        if (!_silenceSplits(terms)) revert SilenceSplitsNothing();
        _conclude(settlement, HALF_ATTESTATION_TYPEHASH, terms.getEvaluator(), false);
    }

    /// @inheritdoc IPlanEscrow
    function settleOnSilence(
        Terms calldata terms,
        Charter calldata charter,
        uint64 bits,
        Acknowledgement calldata acknowledgement
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties, bytes32 binding) =
            _payable(terms, charter);
        if (!_silencePays(terms)) revert SilenceRefunds();
        _requireFrom(terms.getReviewBy());

        // input
        if (bits == 0) revert NothingToSettle();
        uint256 low = _requirePending(slot, steps.length, bits);
        uint64 missing = bits & ~_marks[id].submitted;
        bytes32 outputsHash;
        if (missing != 0) {
            missing &= ~acknowledgement.bits;
            if (missing != 0) revert NotSubmitted(missing);
            _requireAcknowledged(id, binding, terms, acknowledgement);
            outputsHash = acknowledgement.outputsHash;
        }

        bool splits = _silenceSplits(terms);
        emit StepsDefaulted(id, splits ? 0 : bits, outputsHash);
        if (splits) _splitEach(id, terms, steps, royalties, bits, false);
        else _carryOut(id, slot.withPendingPaid(low), terms, steps, royalties, bits, slot.closing());
    }

    /// @dev Checks the evaluator's signature over all attestations of the batch before any item runs, so that a failing
    ///      item does not change its validity. Each item is then checked in its own call.
    function _batch(Batch calldata batch, bytes4 selector) private returns (uint256 okBitmap) {
        if (batch.attestations.length != 0) {
            _requireSigned(batch.evaluator, Batches.hash(BATCH_TYPEHASH, batch.attestations), batch.signature);
        }
        _batchCaller = msg.sender;
        return Batches.run(batch, selector);
    }

    /// @dev On the word of `who`. Who owes the team closes nothing over steps that are left pending.
    function _conclude(Settlement calldata settlement, bytes32 typehash, address who, bool owes) private {
        (uint256 bits, bool close) = (settlement.getBits(), settlement.getClose());
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties, bytes32 binding) =
            _settleable(settlement.terms, settlement.getCharter(), bits, close, owes);
        uint256 low = _requirePending(slot, steps.length, bits);
        bytes32 conclusionHash = settlement.conclusionHash;
        _requireConcluded(
            who, _hashConclusion(typehash, id, binding, bits, close, conclusionHash), settlement.getSignature()
        );
        if (typehash == HALF_ATTESTATION_TYPEHASH) {
            emit StepsSettled(id, 0, conclusionHash);
            _splitEach(id, settlement.terms, steps, royalties, bits, close);
            return;
        }
        slot = slot.withPendingPaid(low);
        if (owes && close) {
            uint256 owed = slot.pendingAmong(steps.length);
            if (owed != 0) revert StepsOwed(uint64(owed));
        }

        emit StepsSettled(id, uint64(bits), conclusionHash);
        _carryOut(id, slot, settlement.terms, steps, royalties, bits, close);
    }

    /// @dev Over the charter itself, not its version: until one is sealed, the client side can authorize several by one number.
    function _hashConclusion(
        bytes32 typehash,
        bytes32 id,
        bytes32 binding,
        uint256 bits,
        bool close,
        bytes32 conclusionHash
    ) private pure returns (bytes32) {
        return WordHash.hash(typehash, id, uint256(binding), bits, close ? 1 : 0, conclusionHash);
    }

    /// @dev By the word of `who` on this alone, or by the evaluator's signature for the batch that this is an item of.
    function _requireConcluded(address who, bytes32 structHash, bytes calldata signature) private {
        if (signature.length == 0 && (Batches.isAttested(who, structHash) || _caller() == who)) return;
        _requireSigned(who, structHash, signature);
    }

    function _requireAcknowledged(
        bytes32 id,
        bytes32 binding,
        Terms calldata terms,
        Acknowledgement calldata given
    ) private {
        _requireNotAfter(given.receivedAt, terms.getWorkBy());
        bytes32 structHash = WordHash.hash(
            ACKNOWLEDGEMENT_TYPEHASH,
            id,
            uint256(binding),
            given.bits,
            uint256(given.outputsHash),
            bytes32(uint256(given.receivedAt))
        );
        _requireSigned(terms.getEvaluator(), structHash, given.signature);
    }

    /// @dev Returns the plan after the checks that money may move under the charter. If the evaluator ends a plan
    ///      without a charter, it checks that there is none. The client alone ends such a plan by {requestClose}.
    function _settleable(Terms calldata terms, Charter calldata charter, uint256 bits, bool close, bool owes)
        private
        view
        returns (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties, bytes32 binding)
    {
        if (bits == 0) {
            if (!close) revert NothingToSettle();
            steps = charter.steps;
            if (steps.length == 0 && !owes) {
                id = planId(terms);
                slot = _requireOpen(id);
                if (!slot.sealed_()) return (id, slot, steps, charter.royalties, 0);
            }
        }
        (id, slot, steps, royalties, binding) = _payable(terms, charter);
    }
}
