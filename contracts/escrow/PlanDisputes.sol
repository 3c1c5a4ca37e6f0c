// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {CharterCalldata} from "../libraries/CharterCalldata.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {PlanPayments} from "./PlanPayments.sol";

/// @title Disputes, split offers, rulings, and the end of an expired plan
abstract contract PlanDisputes is PlanPayments {
    using CharterCalldata for Step[];
    using TermsCalldata for Terms;

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
        (bytes32 id, PlanSlot slot, Step[] calldata steps,,) = _payable(terms, charter);
        if (terms.getArbitrator() == address(0)) revert NoArbitrator();
        _requireBefore(terms.getReviewBy());
        uint256 bit = _bitOf(steps.length, step);
        _requirePending(slot, steps.length, bit);

        // input
        if (by != terms.getClient() && !_isPayeeOrSigner(by, steps.payeeAt(step))) revert NotParty(by);
        _requireCallOrSignature(by, keccak256(abi.encode(DISPUTE_TYPEHASH, id, slot.version(), step, evidenceHash)), signature);

        // effect
        _plans[id].slot = slot.withDisputed(bit);
        if (by != terms.getClient()) _marks[id].disputedByPayee |= uint64(bit);
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
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties,) = _payable(terms, charter);
        _requireBefore(terms.getExpiry());
        uint256 bit = _bitOf(steps.length, step);
        if (slot.disputedBits() & bit == 0) revert StepNotDisputed(step);

        // input
        _requireShare(payeeBps);
        bytes32 structHash = _hashStruct(RULING_TYPEHASH, id, slot, step, payeeBps, rulingHash);
        _requireCallOrSignature(terms.getArbitrator(), structHash, signature);

        emit StepRuled(id, step, payeeBps, rulingHash);
        _split(id, slot, terms, steps, royalties, step, payeeBps);
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
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties,) = _payable(terms, charter);
        uint256 bit = _bitOf(steps.length, step);
        if (slot.disputedBits() & bit == 0) _requirePending(slot, steps.length, bit);

        // input
        _requireShare(payeeBps);
        _requireNotAfter(block.timestamp, deadline);
        bytes32 structHash = _hashStruct(OFFER_TYPEHASH, id, slot, step, payeeBps, bytes32(uint256(deadline)));
        if (payeeBps != 0) _requireCallOrSignature(terms.getClient(), structHash, clientSignature);
        if (payeeBps != BPS) _requireCallOrSignature(steps.payeeAt(step), structHash, payeeSignature);

        emit OfferAccepted(id, step, payeeBps);
        _split(id, slot, terms, steps, royalties, step, payeeBps);
    }

    /// @inheritdoc IPlanEscrow
    function refund(Terms calldata terms) external nonReentrant {
        bytes32 id = planId(terms);
        PlanSlot slot = _requireOpen(id);
        uint256 from = terms.getExpiry();
        if (slot.noticed() && _marks[id].closableFrom < from) from = _marks[id].closableFrom;
        _requireFrom(from);
        uint256 disputed = slot.disputedBits();
        if (slot.sealed_()) {
            uint256 owed = _owedBySilence(id, slot, terms, disputed);
            if (owed != 0) revert StepsOwed(uint64(owed));
        }

        // effect, then interaction
        uint256 rest = slot.remaining();
        slot = slot.withEnded(disputed).withPendingEnded(0).withRemaining(0);
        _plans[id].slot = slot.withStatus(uint8(PlanStatus.Closed)).withClosing(false);
        emit PlanClosed(id);
        if (rest != 0) _giveBack(id, terms, rest);
    }

    /// @inheritdoc IPlanEscrow
    function closeExpired(Terms calldata terms, Charter calldata charter) external nonReentrant {
        (bytes32 id, PlanSlot slot, Step[] calldata steps, Royalty[] calldata royalties,) = _payable(terms, charter);
        _requireFrom(terms.getExpiry());
        if (!_silencePays(terms)) revert SilenceRefunds();

        uint256 disputed = slot.disputedBits();
        uint256 owed = _owedBySilence(id, slot, terms, disputed);
        slot = slot.withEnded(disputed & ~owed);
        bool splits = _silenceSplits(terms);
        emit StepsDefaulted(id, splits ? 0 : uint64(owed), 0);
        if (splits) {
            _plans[id].slot = slot;
            _splitEach(id, terms, steps, royalties, owed, true);
        } else {
            _carryOut(id, slot.withPaid(owed), terms, steps, royalties, owed, true);
        }
    }

    /// @dev The steps that are paid at the end if silence pays. These are pending steps that were submitted, and steps
    ///      that the client disputed without a ruling of the arbitrator. Without a ruling, the party that disputed
    ///      loses.
    function _owedBySilence(bytes32 id, PlanSlot slot, Terms calldata terms, uint256 disputed)
        private
        view
        returns (uint256)
    {
        if (!_silencePays(terms)) return 0;
        Marks storage stored = _marks[id];
        return (disputed & ~uint256(stored.disputedByPayee)) | (slot.pendingBits() & stored.submitted);
    }

    function _requireShare(uint16 payeeBps) private pure {
        if (payeeBps > BPS) revert BadShare(payeeBps, BPS);
    }

    function _bitOf(uint256 count, uint8 step) private pure returns (uint256) {
        if (step >= count) revert StepOutOfRange(step < 64 ? uint64(1) << step : 0, count);
        return uint256(1) << step;
    }
}
