// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {Books} from "./Books.sol";
import {vm} from "./Vm.sol";

/// @title Makes terms, charters and plans of every kind, so that each call of the fuzz finds one to work on
abstract contract PlanMaker is Books {
    /// @dev What a call needs of a plan.
    enum Want {
        Live,
        Unsealed,
        Sealed,
        Pending,
        Disputable,
        Disputed,
        Silent,
        Submittable
    }

    uint256 private _salt;

    /// @dev One of the six sets: silence splits only where it pays.
    function _anySilence(uint256 seed) private pure returns (uint8) {
        uint8 set = uint8(seed % 6);
        return set < 4 ? set : 2 * set - 3;
    }

    function _makeTerms(uint256 seed) internal returns (IPlanEscrow.Terms memory terms) {
        uint40 workBy = uint40(block.timestamp + 1 + seed % 900);
        uint40 reviewBy = workBy + 600 + uint40((seed >> 16) % 300);
        terms = IPlanEscrow.Terms({
            client: _client,
            token: address(_tokens[(seed >> 8) % 2]),
            total: uint96((seed >> 32) % 1e12 + 100),
            workBy: workBy,
            reviewBy: reviewBy,
            expiry: reviewBy + 600 + uint40((seed >> 24) % 300),
            feeBps: uint16((seed >> 80) % 1001),
            feeTo: _feeTo,
            evaluator: _evaluator,
            arbitrator: _arbitrator,
            authorizer: _authorizer,
            vetoSeconds: uint32((seed >> 112) % 3 == 0 ? 0 : 60 + (seed >> 120) % 200),
            onSilence: _anySilence(seed >> 96),
            charter: 0,
            briefHash: 0,
            salt: ++_salt
        });
    }

    /// @dev One to six steps, sometimes sixty-four, that the terms can pay with their fee; up to two royalties.
    function _makeCharter(IPlanEscrow.Terms memory terms, uint256 seed)
        internal
        view
        returns (IPlanEscrow.Charter memory charter)
    {
        uint256 count = seed % 97 == 0 ? 64 : seed % 5 + 1;
        uint256 each = uint256(terms.total) * 10_000 / (10_000 + terms.feeBps) / count;
        if (seed % 3 != 0) each = each * ((seed >> 8) % 256) / 255;
        charter.steps = new IPlanEscrow.Step[](count);
        for (uint256 i = 0; i < count; ++i) {
            address payee = _payees[uint256(keccak256(abi.encode(seed, i))) % PAYEES];
            charter.steps[i] = IPlanEscrow.Step(payee, uint96(each));
        }
        charter.royalties = new IPlanEscrow.Royalty[](seed % 3);
        for (uint256 i = 0; i < charter.royalties.length; ++i) {
            charter.royalties[i] = IPlanEscrow.Royalty(0, _patron, uint16((seed >> 16) % 2501));
        }
        charter.charterHash = bytes32(seed);
    }

    /// @dev A plan with what is wanted: one of those there are, looked for from a random place, or a new one.
    function _find(Want want, uint256 seed) internal returns (uint256 p) {
        uint256 count = _books.length;
        for (uint256 i = 0; i < 6 && i < count; ++i) {
            p = (seed / 7 + i * 3) % count;
            if (_has(p, want)) return p;
        }
        return _makeFor(want, seed);
    }

    function _makeFor(Want want, uint256 seed) internal returns (uint256 p) {
        IPlanEscrow.Terms memory terms = _makeTerms(seed);
        IPlanEscrow.Charter memory charter;
        if (want == Want.Silent) terms.onSilence = seed % 3 == 0 ? 5 : 1;
        if (want != Want.Live && want != Want.Unsealed) {
            charter = _makeCharter(terms, seed / 3);
            terms.charter = _bind(charter);
        }
        if (want == Want.Sealed) terms.charter = 0;
        p = _fundIt(terms, charter);
        if (want == Want.Sealed) _sealIt(p, charter);
        if (want == Want.Disputed) _disputeIt(p, 0, seed % 2 == 0);
        if (want == Want.Silent) vm.warp(terms.reviewBy);
    }

    function _fundIt(IPlanEscrow.Terms memory terms, IPlanEscrow.Charter memory charter) internal returns (uint256 p) {
        vm.prank(_client);
        escrow.fund(terms);
        return _learn(terms, charter);
    }

    function _sealIt(uint256 p, IPlanEscrow.Charter memory charter) internal {
        escrow.seal(_sealing(p, charter, false, _none()));
        _sealed(p, charter);
        _note(p);
    }

    /// @dev Remembers that the client side authorized this charter.
    function _sealed(uint256 p, IPlanEscrow.Charter memory charter) internal {
        _keep(p, charter);
        Book storage entry = _books[p];
        (entry.version, entry.charter, entry.noticed) = (entry.version + 1, IPlanEscrow.CharterState.Authorized, false);
    }

    /// @dev A seal of the next version; `replaced` are the steps whose payees sign beside the new ones.
    function _sealing(uint256 p, IPlanEscrow.Charter memory charter, bool proposed, IPlanEscrow.Step[] memory replaced)
        internal
        view
        returns (IPlanEscrow.Sealing memory sealing)
    {
        uint24 version = _books[p].version + 1;
        bytes32 structHash = _charterHash(false, _books[p].id, version, charter);
        sealing.terms = _terms[p];
        (sealing.version, sealing.charter) = (version, charter);
        sealing.proposed = proposed;
        sealing.evaluatorSignature = _sign(EVALUATOR_KEY, structHash);
        if (!proposed) sealing.signature = _authorize(_charterHash(true, _books[p].id, version, charter));
        address[] memory members = _distinct(charter.steps, replaced);
        sealing.memberSignatures = new IPlanEscrow.MemberSignature[](members.length);
        for (uint256 i = 0; i < members.length; ++i) {
            address signer = escrow.isSigner(members[i], _delegate) ? _delegate : members[i];
            uint256 key = signer == _delegate ? DELEGATE_KEY : _privateKeyOf(members[i]);
            sealing.memberSignatures[i] = IPlanEscrow.MemberSignature(signer, _sign(key, structHash));
        }
    }

    /// @dev The word of the client, or of its authorizer, by turns.
    function _authorize(bytes32 structHash) internal view returns (bytes memory) {
        return _sign(uint256(structHash) % 2 == 0 ? CLIENT_KEY : AUTHORIZER_KEY, structHash);
    }

    function _disputeIt(uint256 p, uint8 step, bool byClient) internal {
        address payee = charterOf(p).steps[step].payee;
        address by = byClient ? _client : payee;
        bytes memory word = _sign(_privateKeyOf(by), _disputeHash(_books[p].id, _books[p].version, step));
        escrow.dispute(_terms[p], charterOf(p), step, 0, by, word);
        _books[p].codes |= uint128(3) << (2 * step);
        _note(p);
    }

    /// @dev Remembers how the plan looks, and that it looks as the books have it.
    function _note(uint256 p) internal {
        Book storage entry = _books[p];
        entry.word = wordOf(entry.id);
        (, uint96 left, uint128 codes, uint24 version, IPlanEscrow.CharterState charter,, bool vetoed, bool noticed) =
            escrow.plan(entry.id);
        if (left != entry.held) _breach("12: money moved in a call that moves none");
        if (codes != entry.codes) _breach("5: a step moved that no account named");
        if (version != entry.version || charter != entry.charter) _breach("5: a charter went another way");
        if (vetoed != entry.vetoed || noticed != entry.noticed) _breach("5: a veto or a notice went another way");
    }

    /// @dev Whether money may move by the charter in force.
    function _isPayable(uint256 p) internal view returns (bool) {
        Book storage entry = _books[p];
        if (entry.charter == IPlanEscrow.CharterState.Proposed) return block.timestamp >= entry.payableFrom;
        return entry.charter == IPlanEscrow.CharterState.Authorized;
    }

    function _pendingOf(uint256 p) internal view returns (uint64) {
        return _with(p, 0);
    }

    /// @dev The pending steps that were not submitted yet.
    function _freshOf(uint256 p) internal view returns (uint64) {
        return _pendingOf(p) & ~_submitted(_books[p].id);
    }

    /// @dev The steps of the charter whose code is `code`.
    function _with(uint256 p, uint256 code) internal view returns (uint64 bits) {
        uint256 count = _stepCount(p);
        uint128 codes = _books[p].codes;
        for (uint256 i = 0; i < count; ++i) {
            if ((codes >> (2 * i)) & 3 == code) bits |= uint64(1) << uint64(i);
        }
    }

    /// @dev One of the steps named by `bits`, which names some.
    function _oneOf(uint64 bits, uint256 seed) internal pure returns (uint8 step) {
        step = uint8(seed % 64);
        if (bits >> step == 0) step = 0;
        while ((bits >> step) & 1 == 0) step = (step + 1) % 64;
    }

    function _isCharterIn(uint256 p) internal view returns (bool) {
        return _books[p].charter != IPlanEscrow.CharterState.None;
    }

    function _none() internal pure returns (IPlanEscrow.Step[] memory) {
        return new IPlanEscrow.Step[](0);
    }

    function _has(uint256 p, Want want) private view returns (bool) {
        Book storage entry = _books[p];
        if (entry.closed) return false;
        if (want == Want.Live) return true;
        IPlanEscrow.Terms storage terms = _terms[p];
        bool inTime = block.timestamp < terms.expiry;
        if (want == Want.Unsealed) return !_isCharterIn(p) && inTime;
        if (!_isCharterIn(p)) return false;
        if (want == Want.Sealed) {
            return entry.version != 0 && entry.codes == 0 && inTime && _submitted(entry.id) == 0;
        }
        if (!_isPayable(p)) return false;
        if (want == Want.Disputed) return inTime && _with(p, 3) != 0;
        if (_pendingOf(p) == 0) return false;
        if (want == Want.Disputable) return block.timestamp < terms.reviewBy;
        if (want == Want.Silent) return terms.onSilence & 1 == 1 && block.timestamp >= terms.reviewBy;
        if (want == Want.Submittable) return block.timestamp <= terms.workBy && _freshOf(p) != 0;
        return true;
    }

    function _distinct(IPlanEscrow.Step[] memory a, IPlanEscrow.Step[] memory b)
        private
        pure
        returns (address[] memory members)
    {
        members = new address[](a.length + b.length);
        uint256 count;
        for (uint256 i = 0; i < a.length + b.length; ++i) {
            address payee = i < a.length ? a[i].payee : b[i - a.length].payee;
            bool isThere;
            for (uint256 j = 0; j < count; ++j) isThere = isThere || members[j] == payee;
            if (!isThere) members[count++] = payee;
        }
        assembly ("memory-safe") {
            mstore(members, count)
        }
    }
}
