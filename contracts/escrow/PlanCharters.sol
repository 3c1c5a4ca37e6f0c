// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {CharterWords} from "../libraries/CharterWords.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {TermsWords} from "../libraries/TermsWords.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title Who is in the team, who signed for it, and what it handed in
abstract contract PlanCharters is PlanStore {
    using CharterWords for Step[];
    using CharterWords for Royalty[];
    using TermsWords for Terms;

    bytes32 private constant CHARTER_TYPEHASH = keccak256(
        "Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)"
    );

    /// @inheritdoc IPlanEscrow
    function seal(Sealing calldata sealing) external nonReentrant {
        _seal(sealing);
    }

    /// @inheritdoc IPlanEscrow
    function sealMany(Sealing[] calldata sealings) external nonReentrant {
        for (uint256 i = 0; i < sealings.length; ++i) {
            Sealing calldata sealing = sealings[i];
            bytes32 id = planId(sealing.terms);
            Charter calldata charter = sealing.charter;
            bytes32 binding = _bind(charter.steps.hash(), charter.royalties.hash(), charter.charterHash);
            PlanSlot slot = _plans[id].slot;
            bool asMuchAgreed = slot.agreed() || sealing.memberSignatures.length == 0;
            if (charterOf[id] == binding && slot.version() == sealing.version && asMuchAgreed) continue;
            _seal(sealing);
        }
    }

    /// @inheritdoc IPlanEscrow
    function reseal(Sealing calldata sealing, Charter calldata replaced) external nonReentrant {
        (bytes32 id, PlanSlot slot, Step[] calldata steps,) = _inForce(sealing.terms, replaced);
        _sealOver(id, slot, sealing, steps);
    }

    /// @inheritdoc IPlanEscrow
    function submit(Terms calldata terms, Charter calldata charter, uint64 bits, bytes32 outputsHash)
        external
        nonReentrant
    {
        (bytes32 id, PlanSlot slot, Step[] calldata steps,) = _inForce(terms, charter);
        _requireNotAfter(block.timestamp, terms.getWorkBy());
        if (bits == 0) revert NothingToSettle();
        _requirePending(slot, steps.length, bits);
        for (uint256 i = 0; bits >> i != 0; ++i) {
            if ((bits >> i) & 1 == 1 && !_speaksFor(msg.sender, steps.payeeAt(i))) revert NotParty(msg.sender);
        }

        // effect
        _marks[id].submitted |= bits;
        emit StepsSubmitted(id, bits, outputsHash);
    }

    function _seal(Sealing calldata sealing) private {
        bytes32 id = planId(sealing.terms);
        PlanSlot slot = _live(id);
        bool silentReplaced = sealing.terms.getOnSilence() & SILENT_REPLACED != 0 && sealing.memberSignatures.length != 0;
        if (slot.agreed() && !silentReplaced) revert CharterAgreed(slot.version());
        // Nobody is replaced whose word would be needed.
        _sealOver(id, slot, sealing, sealing.charter.steps[:0]);
    }

    /// @dev `replaced` are the steps whose payees must sign beside the new ones.
    function _sealOver(bytes32 id, PlanSlot slot, Sealing calldata sealing, Step[] calldata replaced) private {
        Terms calldata terms = sealing.terms;
        uint24 version = sealing.version;

        // state
        if (terms.charter != 0) revert CharterFixed(terms.charter);
        _requireBefore(terms.getExpiry());
        Charter calldata charter = sealing.charter;
        Step[] calldata steps = charter.steps;
        (bytes32 stepsHash, bytes32 royaltiesHash) = (steps.hash(), charter.royalties.hash());
        bytes32 binding = _bind(stepsHash, royaltiesHash, charter.charterHash);
        bool agreed = sealing.memberSignatures.length != 0 || replaced.length != 0;
        // Somebody may have brought the evaluator's signature without the members': theirs count later all the same.
        bool sameAgreed = agreed && !slot.agreed() && version == slot.version() && binding == charterOf[id];
        if (!sameAgreed) _requireReplaceable(id, slot, version);

        // input
        _requireSound(terms, steps, charter.royalties);
        slot = slot.withVersion(version, agreed);
        bytes32 structHash = _hashWord(
            CHARTER_TYPEHASH, id, slot, uint256(stepsHash), uint256(royaltiesHash), charter.charterHash
        );
        _requireSigned(terms.getEvaluator(), structHash, sealing.evaluatorSignature);
        if (agreed) _requireMembers(structHash, steps, replaced, sealing.memberSignatures);

        // effect
        _plans[id].slot = slot;
        charterOf[id] = binding;
        emit PlanSealed(id, version, stepsHash, royaltiesHash, charter.charterHash, agreed);
    }

    function _requireReplaceable(bytes32 id, PlanSlot slot, uint24 version) private view {
        if (version <= slot.version()) revert StaleVersion(version, slot.version());
        if (slot.codes() != 0) revert StepsTouched(slot.codes());
        if (slot.version() == 0) return;
        uint64 handedIn = _marks[id].submitted;
        if (handedIn != 0) revert StepsHandedIn(handedIn);
    }

    function _requireMembers(
        bytes32 structHash,
        Step[] calldata steps,
        Step[] calldata replaced,
        MemberSignature[] calldata signatures
    ) private {
        uint256 members;
        for (uint256 i = 0; i < steps.length + replaced.length; ++i) {
            bool isNew = i < steps.length;
            address payee = isNew ? steps.payeeAt(i) : replaced.payeeAt(i - steps.length);
            if (_isAmong(steps, isNew ? i : steps.length, payee)) continue;
            if (!isNew && _isAmong(replaced, i - steps.length, payee)) continue;
            if (members == signatures.length) revert BadMemberCount(signatures.length, members + 1);
            MemberSignature calldata member = signatures[members++];
            if (!_speaksFor(member.signer, payee)) revert NotSigner(member.signer, payee);
            _requireSigned(member.signer, structHash, member.signature);
        }
        if (members != signatures.length) revert BadMemberCount(signatures.length, members);
    }

    /// @dev Whether `payee` is one of the first `count`.
    function _isAmong(Step[] calldata steps, uint256 count, address payee) private pure returns (bool) {
        while (count != 0) {
            if (steps.payeeAt(--count) == payee) return true;
        }
        return false;
    }
}
