// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {CharterCalldata} from "../libraries/CharterCalldata.sol";
import {PlanSlot} from "../libraries/PlanSlot.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {WordHash} from "../libraries/WordHash.sol";
import {PlanStore} from "./PlanStore.sol";

/// @title Charters: sealing, replacement, veto, notice of closing, and the submission of steps
abstract contract PlanCharters is PlanStore {
    using CharterCalldata for Charter;
    using CharterCalldata for Step[];
    using CharterCalldata for Royalty[];
    using TermsCalldata for Terms;

    /// @dev Time to bring a charter that the client side authorized and no account sealed yet.
    uint256 private constant NOTICE = 1 days;

    bytes32 private constant CHARTER_TYPEHASH = keccak256(
        "Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)"
    );
    bytes32 private constant AUTHORIZATION_TYPEHASH = keccak256(
        "CharterAuthorization(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)"
    );
    bytes32 private constant VETO_TYPEHASH = keccak256("CharterVeto(bytes32 planId,uint24 version)");
    bytes32 private constant NOTICE_TYPEHASH = keccak256("CloseRequest(bytes32 planId,uint24 version)");
    bytes32 private constant SUBMISSION_TYPEHASH =
        keccak256("StepSubmission(bytes32 planId,uint24 version,uint64 bits,bytes32 outputsHash)");

    /// @inheritdoc IPlanEscrow
    function seal(Sealing calldata sealing) external nonReentrant {
        _seal(sealing, sealing.charter.steps[:0]);
    }

    /// @inheritdoc IPlanEscrow
    function reseal(Sealing calldata sealing, Charter calldata replaced) external nonReentrant {
        (,, Step[] calldata steps,,) = _inForce(sealing.terms, replaced);
        _seal(sealing, steps);
    }

    /// @inheritdoc IPlanEscrow
    function veto(Terms calldata terms, uint24 version, bytes calldata signature) external nonReentrant {
        // state
        bytes32 id = planId(terms);
        PlanSlot slot = _requireOpen(id);
        if (!slot.sealed_() || version != slot.version()) revert StaleVersion(version, slot.version());
        if (slot.authorized()) revert CharterAuthorized(version);
        _requireBefore(_marks[id].payableFrom);

        // input
        _requireClientSide(terms, WordHash.hash(VETO_TYPEHASH, id, bytes32(uint256(version))), signature);

        // effect
        _plans[id].slot = slot.withVeto();
        delete charterOf[id];
        delete _marks[id];
        emit CharterVetoed(id, version);
    }

    /// @inheritdoc IPlanEscrow
    function requestClose(Terms calldata terms, bytes calldata signature) external nonReentrant {
        // state
        bytes32 id = planId(terms);
        PlanSlot slot = _requireOpen(id);
        uint24 version = slot.version();
        if (slot.sealed_()) revert CharterAgreed(version);
        if (slot.noticed()) revert CloseAlreadyRequested(id);

        // input
        _requireClientSide(terms, WordHash.hash(NOTICE_TYPEHASH, id, bytes32(uint256(version))), signature);

        // effect
        uint40 from = uint40(block.timestamp + NOTICE);
        _plans[id].slot = slot.withNotice();
        _marks[id].closableFrom = from;
        emit CloseRequested(id, from);
    }

    /// @inheritdoc IPlanEscrow
    function submit(
        Terms calldata terms,
        Charter calldata charter,
        uint64 bits,
        bytes32 outputsHash,
        address by,
        bytes calldata signature
    ) external nonReentrant {
        // state
        (bytes32 id, PlanSlot slot, Step[] calldata steps,,) = _inForce(terms, charter);
        _requireNotAfter(block.timestamp, terms.getWorkBy());
        if (bits == 0) revert NothingToSettle();
        _requirePending(slot, steps.length, bits);

        // input
        for (uint256 i = 0; bits >> i != 0; ++i) {
            if ((bits >> i) & 1 == 1 && !_isPayeeOrSigner(by, steps.payeeAt(i))) revert NotParty(by);
        }
        _requireCallOrSignature(by, keccak256(abi.encode(SUBMISSION_TYPEHASH, id, slot.version(), bits, outputsHash)), signature);

        // effect
        uint64 earlier = _marks[id].submitted;
        if (earlier & bits != 0) revert StepsHandedIn(earlier & bits);
        _marks[id].submitted = earlier | bits;
        emit StepsSubmitted(id, bits, outputsHash);
    }

    /// @dev Checks a charter that is to come into force, and logs it. The payees of the steps `replaced` must sign
    ///      beside the new ones. Returns the plan's storage word and the value of {charterOf}; the caller writes
    ///      both.
    function _admit(bytes32 id, PlanSlot slot, Sealing calldata sealing, Step[] calldata replaced)
        internal
        returns (PlanSlot sealed_, bytes32 binding)
    {
        // state
        Terms calldata terms = sealing.terms;
        if (terms.charter != 0) revert CharterFixed(terms.charter);
        _requireBefore(terms.getExpiry());
        bool proposed = sealing.proposed;
        sealed_ = slot.withCharter(sealing.version, !proposed);
        uint40 payableFrom = proposed ? _endOfVeto(id, terms) : 0;
        bytes32 agreement;
        bytes32 authorization;
        (binding, agreement, authorization) = _announce(id, sealed_, sealing.charter, payableFrom);
        if (slot.sealed_() && sealing.version == slot.version() && binding == charterOf[id]) {
            // The client's approval of the proposal in force needs no other signature again.
            if (proposed || slot.authorized()) revert StaleVersion(sealing.version, slot.version());
        } else {
            _requireReplaceable(id, slot, sealing, replaced.length != 0);
            _requireAgreed(sealing, replaced, agreement);
        }

        // input
        if (proposed) _marks[id].payableFrom = payableFrom;
        else _requireClientSide(terms, authorization, sealing.signature);
    }

    /// @dev Logs the charter, and answers what it is bound by and what its members and the client side sign.
    function _announce(bytes32 id, PlanSlot slot, Charter calldata charter, uint40 payableFrom)
        private
        returns (bytes32 binding, bytes32 agreement, bytes32 authorization)
    {
        (Step[] calldata steps, Royalty[] calldata royalties) = charter.parts();
        (bytes32 stepsHash, bytes32 royaltiesHash) = (steps.hash(), royalties.hash());
        bytes32 charterHash = charter.charterHash;
        binding = _bind(stepsHash, royaltiesHash, charterHash);
        agreement = _hashStruct(CHARTER_TYPEHASH, id, slot, uint256(stepsHash), uint256(royaltiesHash), charterHash);
        authorization =
            _hashStruct(AUTHORIZATION_TYPEHASH, id, slot, uint256(stepsHash), uint256(royaltiesHash), charterHash);
        emit PlanSealed(id, slot.version(), stepsHash, royaltiesHash, charterHash, payableFrom);
    }

    /// @dev A valid charter with the evaluator's signature, so that no client replaces a working team by its own agents.
    function _requireAgreed(Sealing calldata sealing, Step[] calldata replaced, bytes32 agreement) private {
        (Step[] calldata steps, Royalty[] calldata royalties) = sealing.charter.parts();
        _requireSound(sealing.terms, steps, royalties);
        _requireSigned(sealing.terms.getEvaluator(), agreement, sealing.evaluatorSignature);
        _requireMembers(agreement, steps, replaced, sealing.memberSignatures);
    }

    function _seal(Sealing calldata sealing, Step[] calldata replaced) private {
        bytes32 id = planId(sealing.terms);
        (_plans[id].slot, charterOf[id]) = _admit(id, _requireOpen(id), sealing, replaced);
    }

    /// @dev Reverts if no other charter may come into force now. Only a proposal within its veto window is replaced
    ///      without its members' signatures. It is not binding yet, and the client's decision for another charter is
    ///      a veto too.
    function _requireReplaceable(bytes32 id, PlanSlot slot, Sealing calldata sealing, bool membersAsked) private {
        (uint24 version, uint24 current) = (sealing.version, slot.version());
        if (sealing.proposed) {
            if (slot.vetoed() || slot.noticed()) revert ProposalRefused(id);
            if (slot.authorized()) revert CharterAuthorized(current);
        }
        if (slot.codes() != 0) revert StepsTouched(slot.codes());
        Marks storage stored = _marks[id];
        bool isBinding = slot.authorized() || (slot.sealed_() && block.timestamp >= stored.payableFrom);
        if (!isBinding && !sealing.proposed) {
            // No proposal uses up a version of the client's.
            if (version == 0) revert StaleVersion(0, 0);
            if (slot.sealed_() && stored.submitted != 0) stored.submitted = 0;
            return;
        }
        if (version <= current) revert StaleVersion(version, current);
        if (!slot.sealed_()) return;
        if (stored.submitted != 0) revert StepsHandedIn(stored.submitted);
        bool silentReplaced = sealing.terms.getOnSilence() & SILENT_REPLACED != 0;
        if (!membersAsked && !silentReplaced) revert CharterAgreed(current);
    }

    /// @dev When a proposal that is brought now pays. Each starts a whole window of its own.
    function _endOfVeto(bytes32 id, Terms calldata terms) private view returns (uint40 payableFrom) {
        uint256 vetoSeconds = terms.getVetoSeconds();
        if (vetoSeconds == 0) revert ProposalRefused(id);
        payableFrom = uint40(block.timestamp + vetoSeconds);
        if (payableFrom >= terms.getExpiry()) revert TooLate(payableFrom, terms.getExpiry());
    }

    /// @dev Each payee signs once. The signature of a payee that joins, or stays for at least the same amount, may be empty:
    ///      the evaluator's signature replaces it. A payee that leaves or takes less must sign itself.
    function _requireMembers(
        bytes32 structHash,
        Step[] calldata steps,
        Step[] calldata replaced,
        MemberSignature[] calldata signatures
    ) private {
        uint256 members;
        for (uint256 i = 0; i < steps.length + replaced.length; ++i) {
            address payee = i < steps.length ? steps.payeeAt(i) : replaced.payeeAt(i - steps.length);
            if (_isEarlier(steps, replaced, i, payee)) continue;
            if (members == signatures.length) revert BadMemberCount(signatures.length, members + 1);
            MemberSignature calldata member = signatures[members++];
            if (i < steps.length && member.signature.length == 0 && steps.sumFor(payee) >= replaced.sumFor(payee)) continue;
            _requireSpeaker(member, payee, structHash);
        }
        if (members != signatures.length) revert BadMemberCount(signatures.length, members);
    }

    /// @dev Whether `payee`, of the i-th step of both, has appeared before.
    function _isEarlier(Step[] calldata steps, Step[] calldata replaced, uint256 i, address payee)
        private
        pure
        returns (bool)
    {
        uint256 count = steps.length;
        if (i < count) return _isAmong(steps, i, payee);
        return _isAmong(steps, count, payee) || _isAmong(replaced, i - count, payee);
    }

    function _requireSpeaker(MemberSignature calldata member, address payee, bytes32 structHash) private {
        address signer = member.signer;
        if (!_isPayeeOrSigner(signer, payee)) revert NotSigner(signer, payee);
        _requireSigned(signer, structHash, member.signature);
    }

    /// @dev Whether `payee` is one of the first `count`.
    function _isAmong(Step[] calldata steps, uint256 count, address payee) private pure returns (bool) {
        while (count != 0) {
            if (steps.payeeAt(--count) == payee) return true;
        }
        return false;
    }
}
