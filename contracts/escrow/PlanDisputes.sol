// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {PlanPayments} from "./PlanPayments.sol";

/// @title When client and payee do not agree, agree after all, or run out of time
abstract contract PlanDisputes is PlanPayments {
    bytes32 private constant DISPUTE_TYPEHASH =
        keccak256("DisputeOpened(bytes32 planId,uint24 version,uint8 step,bytes32 evidenceHash)");
    bytes32 private constant RULING_TYPEHASH =
        keccak256("Ruling(bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,bytes32 rulingHash)");
    bytes32 private constant OFFER_TYPEHASH =
        keccak256("SettlementOffer(bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,uint40 deadline)");

    /// @inheritdoc IPlanEscrow
    function dispute(
        Terms calldata terms,
        Charter calldata charter,
        uint8 step,
        bytes32 evidenceHash,
        address by,
        bytes calldata signature
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot) = _inForce(terms, charter);
        if (terms.arbitrator == address(0)) revert NoArbitrator();
        _requireBefore(terms.reviewBy);
        uint64 bit = _bitOf(charter, step);
        _requirePending(slot, charter.steps.length, bit);

        // input
        if (by != terms.client && !_speaksFor(by, charter.steps[step].payee)) revert NotParty(by);
        _requireWord(by, keccak256(abi.encode(DISPUTE_TYPEHASH, id, slot.version(), step, evidenceHash)), signature);

        // effect
        _plans[id] = slot.withDisputed(bit);
        if (by != terms.client) _marks[id].disputedByPayee |= bit;
        emit StepDisputed(id, step, by, evidenceHash);
    }

    /// @inheritdoc IPlanEscrow
    function rule(
        Terms calldata terms,
        Charter calldata charter,
        uint8 step,
        uint16 payeeBps,
        bytes32 rulingHash,
        bytes calldata signature
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot) = _inForce(terms, charter);
        _requireBefore(terms.expiry);
        uint64 bit = _bitOf(charter, step);
        if (slot.disputedBits() & bit == 0) revert StepNotDisputed(step);

        // input
        _requireShare(payeeBps);
        bytes32 structHash = _hashWord(RULING_TYPEHASH, id, slot, step, payeeBps, rulingHash);
        _requireWord(terms.arbitrator, structHash, signature);

        emit StepRuled(id, step, payeeBps, rulingHash);
        _carryOut(id, slot, terms, charter, bit, payeeBps, false);
    }

    /// @inheritdoc IPlanEscrow
    function acceptOffer(
        Terms calldata terms,
        Charter calldata charter,
        uint8 step,
        uint16 payeeBps,
        uint40 deadline,
        bytes calldata clientSignature,
        bytes calldata payeeSignature
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot) = _inForce(terms, charter);
        uint64 bit = _bitOf(charter, step);
        if (slot.disputedBits() & bit == 0) _requirePending(slot, charter.steps.length, bit);

        // input
        _requireShare(payeeBps);
        _requireNotAfter(block.timestamp, deadline);
        bytes32 structHash = _hashWord(OFFER_TYPEHASH, id, slot, step, payeeBps, bytes32(uint256(deadline)));
        if (payeeBps != 0) _requireWord(terms.client, structHash, clientSignature);
        if (payeeBps != BPS) _requireWord(charter.steps[step].payee, structHash, payeeSignature);

        emit OfferAccepted(id, step, payeeBps);
        _carryOut(id, slot, terms, charter, bit, payeeBps, false);
    }

    /// @inheritdoc IPlanEscrow
    function refund(Terms calldata terms) external nonReentrant {
        bytes32 id = planId(terms);
        PlanSlot slot = _live(id);
        _requireFrom(terms.expiry);
        uint64 disputed = slot.disputedBits();
        if (disputed != 0) {
            uint64 owed = _owedUnruled(id, terms, disputed);
            if (owed != 0) revert DisputesOpen(owed);
            slot = slot.withEnded(disputed).withClosing(false);
        }

        // effect, then interaction
        uint256 rest = slot.remaining();
        _plans[id] = slot.withPendingEnded().withRemaining(0).withStatus(uint8(PlanStatus.Closed));
        emit PlanClosed(id);
        _giveBack(id, terms, rest);
    }

    /// @inheritdoc IPlanEscrow
    function refundDisputed(Terms calldata terms, Charter calldata charter) external nonReentrant {
        (bytes32 id, PlanSlot slot) = _inForce(terms, charter);
        _requireFrom(terms.expiry);
        if (!_silencePays(terms)) revert SilenceRefunds();

        uint64 disputed = slot.disputedBits();
        uint64 owed = _owedUnruled(id, terms, disputed);
        emit StepsDefaulted(id, owed, 0);
        _carryOut(id, slot.withEnded(disputed & ~owed), terms, charter, owed, BPS, true);
    }

    /// @dev Who disputes loses by default: of the steps that were not ruled upon, those that the client put before the
    ///      arbitrator are the team's, where silence pays.
    function _owedUnruled(bytes32 id, Terms calldata terms, uint64 disputed) private view returns (uint64) {
        return _silencePays(terms) ? disputed & ~_marks[id].disputedByPayee : 0;
    }

    function _requireShare(uint16 payeeBps) private pure {
        if (payeeBps > BPS) revert BadShare(payeeBps, BPS);
    }

    function _bitOf(Charter calldata charter, uint8 step) private pure returns (uint64) {
        uint256 count = charter.steps.length;
        if (step >= count) revert StepOutOfRange(step < 64 ? uint64(1) << step : 0, count);
        return uint64(1) << step;
    }
}
