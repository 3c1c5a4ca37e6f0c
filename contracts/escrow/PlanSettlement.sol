// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {PlanPayments} from "./PlanPayments.sol";

/// @title Paying steps: because the evaluator says so, because the client does, or because nobody says anything
abstract contract PlanSettlement is PlanPayments {
    bytes32 private constant ATTESTATION_TYPEHASH =
        keccak256("Attestation(bytes32 planId,uint24 version,uint64 bits,bool close,bytes32 conclusionHash)");
    bytes32 private constant RELEASE_TYPEHASH =
        keccak256("Release(bytes32 planId,uint24 version,uint64 bits,bool close,bytes32 conclusionHash)");
    bytes32 private constant SUBMISSION_TYPEHASH = keccak256(
        "Submission(bytes32 planId,uint24 version,uint64 bits,bytes32 outputsHash,uint40 receivedAt)"
    );

    /// @inheritdoc IPlanEscrow
    function settle(Settlement calldata settlement) external nonReentrant {
        _settle(settlement);
    }

    /// @inheritdoc IPlanEscrow
    function settleMany(Settlement[] calldata settlements) external nonReentrant returns (uint256 okBitmap) {
        for (uint256 i = 0; i < settlements.length; ++i) {
            try this.settleIsolated(settlements[i]) {
                okBitmap |= uint256(1) << i;
            } catch {}
        }
    }

    /// @inheritdoc IPlanEscrow
    /// @dev Takes no lock of its own: {settleMany} holds it. The escrow is nobody's evaluator, so its call is no word.
    function settleIsolated(Settlement calldata settlement) external {
        if (msg.sender != address(this)) revert NotSelf(msg.sender);
        _settle(settlement);
    }

    /// @inheritdoc IPlanEscrow
    function release(Settlement calldata settlement) external nonReentrant {
        (bytes32 id, PlanSlot slot) = _settleable(settlement);
        bytes32 structHash = _hashSettlement(RELEASE_TYPEHASH, id, slot, settlement);
        _requireWord(settlement.terms.client, structHash, settlement.signature);
        if (settlement.close) {
            // A shift by 64 leaves no place outside a full charter.
            uint256 places = (uint256(1) << settlement.charter.steps.length) - 1;
            uint64 owed = slot.pendingBits() & ~settlement.bits & uint64(places);
            if (owed != 0) revert StepsOwed(owed);
        }
        _conclude(id, slot, settlement);
    }

    /// @inheritdoc IPlanEscrow
    function settleOnSilence(
        Terms calldata terms,
        Charter calldata charter,
        uint64 bits,
        Acknowledgement calldata acknowledgement
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot) = _inForce(terms, charter);
        if (!_silencePays(terms)) revert SilenceRefunds();
        _requireFrom(terms.reviewBy);

        // input
        if (bits == 0) revert NothingToSettle();
        _requirePending(slot, charter.steps.length, bits);
        uint64 missing = bits & ~_marks[id].submitted;
        bytes32 outputsHash;
        if (missing != 0) {
            missing &= ~acknowledgement.bits;
            if (missing != 0) revert NotSubmitted(missing);
            _requireAcknowledged(id, slot, terms, acknowledgement);
            outputsHash = acknowledgement.outputsHash;
        }

        emit StepsDefaulted(id, bits, outputsHash);
        _carryOut(id, slot, terms, charter, bits, BPS, false);
    }

    function _settle(Settlement calldata settlement) private {
        (bytes32 id, PlanSlot slot) = _settleable(settlement);
        bytes32 structHash = _hashSettlement(ATTESTATION_TYPEHASH, id, slot, settlement);
        _requireWord(settlement.terms.evaluator, structHash, settlement.signature);
        _conclude(id, slot, settlement);
    }

    function _conclude(bytes32 id, PlanSlot slot, Settlement calldata settlement) private {
        uint64 bits = settlement.bits;
        emit StepsSettled(id, bits, settlement.conclusionHash);
        _carryOut(id, slot, settlement.terms, settlement.charter, bits, BPS, settlement.close);
    }

    function _requireAcknowledged(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Acknowledgement calldata given
    ) private {
        _requireNotAfter(given.receivedAt, terms.workBy);
        bytes32 structHash = _hashWord(
            SUBMISSION_TYPEHASH, id, slot, given.bits, uint256(given.outputsHash), bytes32(uint256(given.receivedAt))
        );
        _requireSigned(terms.evaluator, structHash, given.signature);
    }

    /// @dev The plan, once it is sure that the charter is the one in force, if any, and each chosen step is pending.
    function _settleable(Settlement calldata settlement) private view returns (bytes32 id, PlanSlot slot) {
        Terms calldata terms = settlement.terms;
        Charter calldata charter = settlement.charter;
        uint64 bits = settlement.bits;
        if (bits == 0 && !settlement.close) revert NothingToSettle();
        if (bits == 0 && charter.steps.length == 0) {
            id = planId(terms);
            slot = _live(id);
            if (terms.charter == 0 && slot.version() == 0) return (id, slot);
        }
        (id, slot) = _inForce(terms, charter);
        _requirePending(slot, charter.steps.length, bits);
    }

    function _hashSettlement(bytes32 typehash, bytes32 id, PlanSlot slot, Settlement calldata settlement)
        private
        pure
        returns (bytes32)
    {
        return _hashWord(typehash, id, slot, settlement.bits, settlement.close ? 1 : 0, settlement.conclusionHash);
    }
}
