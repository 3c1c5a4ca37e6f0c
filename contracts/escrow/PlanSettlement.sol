// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {SettlementWords} from "../libraries/SettlementWords.sol";
import {TermsWords} from "../libraries/TermsWords.sol";
import {PlanPayments} from "./PlanPayments.sol";

/// @title Paying steps: because the evaluator says so, because the client does, or because nobody says anything
abstract contract PlanSettlement is PlanPayments {
    using SettlementWords for Settlement;
    using SettlementWords for Settlement[];
    using TermsWords for Terms;

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
            if (settlements.passOn(i, this.settleOnItsOwn.selector)) okBitmap |= uint256(1) << i;
        }
    }

    /// @inheritdoc IPlanEscrow
    /// @dev Takes no lock of its own: {settleMany} holds it. The escrow is nobody's evaluator, so its call is no word.
    function settleOnItsOwn(Settlement calldata settlement) external {
        if (msg.sender != address(this)) revert NotSelf(msg.sender);
        _settle(settlement);
    }

    /// @inheritdoc IPlanEscrow
    function release(Settlement calldata settlement) external nonReentrant {
        _conclude(settlement, RELEASE_TYPEHASH, settlement.terms.getClient(), true);
    }

    /// @inheritdoc IPlanEscrow
    function settleOnSilence(
        Terms calldata terms,
        Charter calldata charter,
        uint64 bits,
        Acknowledgement calldata acknowledgement
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties) = _inForce(terms, charter);
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
            _requireAcknowledged(id, slot, terms, acknowledgement);
            outputsHash = acknowledgement.outputsHash;
        }

        emit StepsDefaulted(id, bits, outputsHash);
        _carryOut(id, slot.withPendingPaid(low), terms, steps, royalties, bits, BPS, false);
    }

    function _settle(Settlement calldata settlement) private {
        _conclude(settlement, ATTESTATION_TYPEHASH, settlement.terms.getEvaluator(), false);
    }

    /// @dev On the word of `who`. Who owes the team closes nothing over steps that are left pending.
    function _conclude(Settlement calldata settlement, bytes32 typehash, address who, bool owes) private {
        (uint256 bits, bool close) = (settlement.bits, settlement.close);
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties) =
            _settleable(settlement.terms, settlement.getCharter(), bits, close);
        uint256 low = _requirePending(slot, steps.length, bits);
        bytes32 conclusionHash = settlement.conclusionHash;
        _requireWord(who, _hashWord(typehash, id, slot, bits, close ? 1 : 0, conclusionHash), settlement.getSignature());
        slot = slot.withPendingPaid(low);
        if (owes && close) {
            // A shift by 64 leaves no place outside a full charter.
            uint256 places = (uint256(1) << steps.length) - 1;
            uint256 owed = slot.pendingBits() & places;
            if (owed != 0) revert StepsOwed(uint64(owed));
        }

        emit StepsSettled(id, uint64(bits), conclusionHash);
        _carryOut(id, slot, settlement.terms, steps, royalties, bits, BPS, close);
    }

    function _requireAcknowledged(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Acknowledgement calldata given
    ) private {
        _requireNotAfter(given.receivedAt, terms.getWorkBy());
        bytes32 structHash = _hashWord(
            SUBMISSION_TYPEHASH, id, slot, given.bits, uint256(given.outputsHash), bytes32(uint256(given.receivedAt))
        );
        _requireSigned(terms.getEvaluator(), structHash, given.signature);
    }

    /// @dev The plan, once it is sure that the charter is the one in force, if any.
    function _settleable(Terms calldata terms, Charter calldata charter, uint256 bits, bool close)
        private
        view
        returns (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties)
    {
        if (bits == 0) {
            if (!close) revert NothingToSettle();
            steps = charter.steps;
            if (steps.length == 0) {
                id = planId(terms);
                slot = _live(id);
                if (terms.charter == 0 && slot.version() == 0) return (id, slot, steps, charter.royalties);
            }
        }
        (id, slot, steps, royalties) = _inForce(terms, charter);
    }
}
