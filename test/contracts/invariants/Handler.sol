// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {Books} from "./Books.sol";
import {PlanMaker} from "./PlanMaker.sol";
import {vm} from "./Vm.sol";
import {ActorSignatures} from "./ActorSignatures.sol";

/// @title What the fuzz may do: every call of the escrow, soundly, by those who may, in any order
/// @dev Each handler counts when it did what it is named after. A call that must fail is tried too ({overreach}); if one
///      comes through, or the books do not match, `breach` states which invariant was broken.
contract Handler is PlanMaker {
    bytes4[] private _handlers;
    address private immutable _owner = msg.sender;
    mapping(bytes4 handler => uint256) public reached;
    uint256 public calls;

    modifier counted() {
        _tally();
        _;
        _lookAside(calls);
    }

    constructor(IPlanEscrow escrow_, WaywardToken[2] memory tokens_) ActorSignatures(escrow_) Books(tokens_) {
        for (uint256 t = 0; t < 2; ++t) {
            tokens_[t].mint(_client, type(uint128).max);
            vm.prank(_client);
            tokens_[t].approve(address(escrow_), type(uint256).max);
        }
    }

    function handlers() external view returns (bytes4[] memory) {
        return _handlers;
    }

    function fund(uint256 seed) public counted {
        IPlanEscrow.Terms memory terms = _makeTerms(seed);
        IPlanEscrow.Charter memory charter;
        if (seed % 2 == 0) {
            charter = _makeCharter(terms, seed / 2);
            terms.charter = _bind(charter);
        }
        if ((seed >> 100) % 3 == 0) {
            escrow.fundWithAuthorization(terms, 0, type(uint256).max, "");
        } else {
            vm.prank(_client);
            escrow.fund(terms);
        }
        _learn(terms, charter);
    }

    function fundMany(uint256 seed) public counted {
        IPlanEscrow.Terms[] memory terms = new IPlanEscrow.Terms[](seed % 3 + 1);
        IPlanEscrow.Charter memory none;
        for (uint256 i = 0; i < terms.length; ++i) terms[i] = _makeTerms(uint256(keccak256(abi.encode(seed, i))));
        vm.prank(_client);
        escrow.fundMany(terms);
        for (uint256 i = 0; i < terms.length; ++i) _learn(terms[i], none);
    }

    function seal(uint256 seed) public counted {
        uint256 p = _find(Want.Unsealed, seed);
        _sealIt(p, _makeCharter(_terms[p], seed / 5));
    }

    /// @notice A charter that the evaluator proposes: vetoed, authorized, waited for, or left.
    function propose(uint256 seed) public counted {
        uint256 p = _find(Want.Unsealed, seed);
        if (!_isProposable(p)) {
            IPlanEscrow.Terms memory terms = _makeTerms(seed);
            IPlanEscrow.Charter memory none;
            terms.vetoSeconds = 60;
            p = _fundIt(terms, none);
        }
        Book storage entry = _books[p];
        IPlanEscrow.Charter memory charter = _makeCharter(_terms[p], seed / 5);
        escrow.seal(_sealing(p, charter, true, _none()));
        _keep(p, charter);
        (entry.version, entry.charter) = (entry.version + 1, IPlanEscrow.CharterState.Proposed);
        entry.payableFrom = uint40(block.timestamp) + _terms[p].vetoSeconds;
        _note(p);
        try escrow.settle(_settlement(p, 1, false, false)) {
            _breach("19: a proposal paid within its veto window");
        } catch {}
        uint256 end = (seed >> 8) % 4;
        if (end == 0) _veto(p, charter);
        if (end == 1) _authorizeIt(p, charter);
        if (end == 2) vm.warp(entry.payableFrom);
    }

    /// @notice A client that wants its money back; half of them have it a day later.
    function requestClose(uint256 seed) public counted {
        uint256 p = _find(Want.Unsealed, seed);
        Book storage entry = _books[p];
        if (entry.noticed || seed % 2 == 0) {
            IPlanEscrow.Terms memory terms = _makeTerms(seed);
            IPlanEscrow.Charter memory none;
            terms.expiry += 2 days;
            p = _fundIt(terms, none);
            entry = _books[p];
        }
        escrow.requestClose(_terms[p], _authorize(_closeRequestHash(entry.id, entry.version)));
        entry.noticed = true;
        _note(p);
        try escrow.refund(_terms[p]) {
            _breach("10: refunded within the notice");
        } catch {}
        if (seed % 16 != 0) return;
        vm.warp(block.timestamp + 1 days);
        Holdings memory before = _holdings(_tokenOf(p));
        escrow.refund(_terms[p]);
        _record(p, before, 0, false);
        if (!entry.closed) _breach("11: a refund left a plan open");
    }

    function sealAndSettle(uint256 seed, uint64 pick) public counted {
        uint256 p = _find(Want.Unsealed, seed);
        IPlanEscrow.Charter memory charter = _makeCharter(_terms[p], seed / 5);
        IPlanEscrow.SealedSettlement memory bad;
        IPlanEscrow.SealedSettlement memory good;
        bad.sealing = good.sealing = _sealing(p, charter, false, _none());
        Holdings memory before = _holdings(_tokenOf(p));
        _sealed(p, charter);
        uint64 bits = _choose(p, pick);
        good.signature = _settlement(p, bits, seed % 2 == 0, false).signature;
        (good.bits, good.close) = (bits, seed % 2 == 0);
        if (seed % 3 == 0) {
            escrow.sealAndSettle(good);
        } else {
            bytes32 attestation;
            if (seed % 3 == 1) {
                attestation = _settlementHash(false, _books[p].id, _bindingOf(charter), bits, good.close, 0);
                good.signature = "";
            }
            IPlanEscrow.Batch memory batch = _batchOf(abi.encode(bad), abi.encode(good), attestation);
            if (escrow.sealAndSettleMany(batch) != 2) _breach("12: a failed settlement changed the others");
        }
        _record(p, before, bits, true);
    }

    function reseal(uint256 seed) public counted {
        uint256 p = _find(Want.Sealed, seed);
        IPlanEscrow.Charter memory old = charterOf(p);
        IPlanEscrow.Charter memory charter = _makeCharter(_terms[p], seed / 5);
        if (_terms[p].onSilence & 2 != 0 && seed % 2 == 0) escrow.seal(_sealing(p, charter, false, _none()));
        else escrow.reseal(_sealing(p, charter, false, old.steps), old);
        _sealed(p, charter);
        _note(p);
    }

    function setSigner(uint256 seed, bool allowed) public counted {
        address account = _payees[seed % PAYEES];
        if (seed % 2 == 0) {
            vm.prank(account);
            escrow.setSigner(_delegate, allowed);
        } else {
            uint256 nonce = escrow.nonceOf(account);
            bytes memory word = _sign(_privateKeyOf(account), _signerHash(account, _delegate, allowed, nonce));
            escrow.setSignerBySignature(account, _delegate, allowed, type(uint256).max, word);
            try escrow.setSignerBySignature(account, _delegate, allowed, type(uint256).max, word) {
                _breach("9: a nonce was used twice");
            } catch {}
        }
        if (escrow.isSigner(account, _delegate) != allowed) _breach("9: a signer was not set");
    }

    function submit(uint256 seed) public counted {
        uint256 p = _find(Want.Submittable, seed);
        uint64 bits = uint64(1) << _oneOf(_freshOf(p), seed);
        address payee = charterOf(p).steps[_oneOf(bits, 0)].payee;
        bytes memory word = _sign(_privateKeyOf(payee), _stepsHash(_books[p].id, _books[p].version, bits));
        escrow.submit(_terms[p], charterOf(p), bits, 0, payee, word);
        _note(p);
        try escrow.submit(_terms[p], charterOf(p), bits, 0, payee, word) {
            _breach("5: a step was submitted twice");
        } catch {}
    }

    function settle(uint256 seed, uint64 pick) public counted {
        _settle(_find(Want.Pending, seed), pick, seed % 4 == 0, false);
    }

    function release(uint256 seed, uint64 pick) public counted {
        _settle(_find(Want.Pending, seed), pick, seed % 4 == 0, true);
    }

    /// @notice One good settlement between two that fail.
    function settleMany(uint256 seed, uint64 pick) public counted {
        uint256 p = _find(Want.Pending, seed);
        uint64 bits = _choose(p, pick);
        (IPlanEscrow.Settlement memory bad, IPlanEscrow.Settlement memory good) =
            (_settlement(p, bits, false, false), _settlement(p, bits, false, false));
        bad.signature = _sign(CLIENT_KEY, 0);
        bytes32 attestation;
        if (seed % 2 == 0) {
            attestation = _settlementHash(false, _books[p].id, _bindingOf(charterOf(p)), bits, false, 0);
            good.signature = "";
        }
        Holdings memory before = _holdings(_tokenOf(p));
        IPlanEscrow.Batch memory batch = _batchOf(abi.encode(bad), abi.encode(good), attestation);
        if (escrow.settleMany(batch) != 2) _breach("12: a failed settlement changed the others");
        _record(p, before, bits, true);
    }

    function settleOnSilence(uint256 seed, uint64 pick) public counted {
        uint256 p = _find(Want.Silent, seed);
        uint64 bits = _choose(p, pick);
        uint40 workBy = _terms[p].workBy;
        bytes memory word = _sign(EVALUATOR_KEY, _submissionHash(_books[p].id, _bindingOf(charterOf(p)), bits, workBy));
        Holdings memory before = _holdings(_tokenOf(p));
        escrow.settleOnSilence(_terms[p], charterOf(p), bits, IPlanEscrow.Acknowledgement(bits, 0, workBy, word));
        _recordSilence(p, before, bits);
    }

    function dispute(uint256 seed) public counted {
        uint256 p = _find(Want.Disputable, seed);
        _disputeIt(p, _oneOf(_pendingOf(p), seed), seed % 2 == 0);
    }

    function rule(uint256 seed, uint16 share) public counted {
        uint256 p = _find(Want.Disputed, seed);
        uint8 step = _oneOf(_with(p, 3), seed);
        uint16 bps = share % 10_001;
        bytes memory word = _sign(ARBITRATOR_KEY, _rulingHash(_books[p].id, _books[p].version, step, bps));
        Holdings memory before = _holdings(_tokenOf(p));
        escrow.rule(_terms[p], charterOf(p), step, bps, 0, word);
        _record(p, before, uint64(1) << step, bps == 10_000);
        _books[p].isRuled = true;
        ++_books[p].splits;
    }

    function acceptOffer(uint256 seed, uint16 share) public counted {
        uint256 p = _find(seed % 2 == 0 ? Want.Pending : Want.Disputed, seed);
        uint8 step = _oneOf(_with(p, seed % 2 == 0 ? 0 : 3), seed);
        uint16 bps = share % 10_001;
        address payee = charterOf(p).steps[step].payee;
        bytes32 structHash = _offerHash(_books[p].id, _books[p].version, step, bps, type(uint40).max);
        (bytes memory one, bytes memory other) = (_sign(CLIENT_KEY, structHash), _sign(_privateKeyOf(payee), structHash));
        Holdings memory before = _holdings(_tokenOf(p));
        escrow.acceptOffer(_terms[p], charterOf(p), step, bps, type(uint40).max, one, other);
        _record(p, before, uint64(1) << step, bps == 10_000);
        _books[p].isSplit = true;
        ++_books[p].splits;
    }

    function refund(uint256 seed) public counted {
        _refund(_find(Want.Live, seed));
    }

    function closeExpired(uint256 seed) public counted {
        uint256 p = _find(Want.Disputed, seed);
        if (_owedBySilence(p) == 0) {
            IPlanEscrow.Terms memory terms = _makeTerms(seed);
            terms.onSilence = seed % 2 == 0 ? 5 : 1;
            IPlanEscrow.Charter memory charter = _makeCharter(terms, seed / 3);
            terms.charter = _bind(charter);
            p = _fundIt(terms, charter);
            _disputeIt(p, 0, true);
        }
        _refund(p);
    }

    /// @notice Credits are made where there are none, by a payee that its token refuses.
    function withdraw(uint256 seed, bool bySignature) public counted {
        uint256 t = seed % 2;
        address payee = _payees[(seed >> 8) % PAYEES];
        if (escrow.credit(address(_tokens[t]), payee) == 0) _creditPayee(t, payee, seed);
        uint256 held = escrow.credit(address(_tokens[t]), payee);
        uint256 before = _tokens[t].balanceOf(_delegate);
        if (bySignature) {
            uint256 nonce = escrow.nonceOf(payee);
            bytes memory word = _sign(_privateKeyOf(payee), _withdrawalHash(payee, address(_tokens[t]), _delegate, nonce));
            escrow.withdrawCreditTo(payee, address(_tokens[t]), _delegate, type(uint256).max, word);
        } else {
            vm.prank(payee);
            escrow.withdrawCredit(address(_tokens[t]), _delegate);
        }
        if (escrow.credit(address(_tokens[t]), payee) != 0) _breach("6: a credit outlived its withdrawal");
        if (_tokens[t].balanceOf(_delegate) - before != held) _breach("6: a credit shrank in flight");
    }

    /// @notice The token blocks or unblocks a payee or the client. The escrow itself is never blocked for long.
    function blocklist(uint256 who, bool refuse) public counted {
        address account = who % 5 == 4 ? _client : _payees[who % 4];
        _tokens[0].setAnswer(account, refuse ? WaywardToken.Answer(1 + who / 8 % 2) : WaywardToken.Answer.True);
    }

    function donate(uint64 amount, bool ether_) public counted {
        uint256 t = amount % 2;
        if (ether_) return vm.deal(address(escrow), amount);
        _tokens[t].mint(address(escrow), amount);
        donated[t] += amount;
    }

    function pass(uint16 time) public counted {
        vm.warp(block.timestamp + time % 400);
    }

    /// @notice Any plan, closed ones most of all, is asked for what it must not give.
    function overreach(uint256 seed, uint64 pick) public counted {
        if (_books.length == 0) fund(seed);
        uint256 p = seed % _books.length;
        IPlanEscrow.Terms memory terms = _terms[p];
        vm.prank(_client);
        try escrow.fund(terms) {
            _breach("9: a plan was funded twice");
        } catch {}
        (,,, uint40 closableFrom) = escrow.marks(_books[p].id);
        bool isNoticed = _books[p].noticed && block.timestamp >= closableFrom;
        if (_books[p].closed || (block.timestamp < terms.expiry && !isNoticed)) {
            try escrow.refund(terms) {
                _breach("10: refunded before the expiry, or twice");
            } catch {}
        }
        uint64 gone = ~_pendingOf(p);
        IPlanEscrow.Settlement memory settlement = _settlement(p, gone & (pick | (uint64(1) << 63)), false, false);
        try escrow.settle(settlement) {
            _breach("4: a step that was not pending was settled");
        } catch {}
        if (_isCharterIn(p) && (_terms[p].onSilence & 1 == 0 || block.timestamp < terms.reviewBy)) {
            try escrow.settleOnSilence(terms, charterOf(p), 1, IPlanEscrow.Acknowledgement(1, 0, 0, "")) {
                _breach("10: silence paid before its time, or against the terms");
            } catch {}
        }
        terms.salt = type(uint256).max;
        try escrow.refund(terms) {
            _breach("1: a plan that was never funded was refunded");
        } catch {}
    }

    /// @notice Refunds by whichever call it takes, in time or by letting it pass.
    function _refund(uint256 p) internal {
        if (block.timestamp < _terms[p].expiry) vm.warp(_terms[p].expiry);
        uint64 owed = _owedBySilence(p);
        Holdings memory before = _holdings(_tokenOf(p));
        if (owed != 0) {
            escrow.closeExpired(_terms[p], charterOf(p));
            _recordSilence(p, before, owed);
        } else {
            escrow.refund(_terms[p]);
            _record(p, before, 0, false);
        }
        if (!_books[p].closed) _breach("11: a refund left a plan open");
    }

    /// @notice Every plan is emptied by one call each; the run ends with this. Nothing when the fuzz calls it.
    function drain() external {
        if (msg.sender != _owner) return;
        for (uint256 p = 0; p < _books.length; ++p) {
            if (!_books[p].closed) _refund(p);
        }
    }

    function _settle(uint256 p, uint64 pick, bool close, bool byClient) private {
        uint64 bits = close && byClient ? _pendingOf(p) : _choose(p, pick);
        if (!byClient && _terms[p].onSilence & 4 != 0 && pick % 2 == 0) return _halve(p, bits, close);
        IPlanEscrow.Settlement memory settlement = _settlement(p, bits, close, byClient);
        Holdings memory before = _holdings(_tokenOf(p));
        if (byClient) escrow.release(settlement);
        else escrow.settle(settlement);
        _record(p, before, bits, true);
    }

    /// @dev By the evaluator, where the terms split what no party decided.
    function _halve(uint256 p, uint64 bits, bool close) private {
        IPlanEscrow.Settlement memory settlement = _settlement(p, bits, close, false);
        settlement.signature = _sign(EVALUATOR_KEY, _halfHash(_books[p].id, _bindingOf(charterOf(p)), bits, close));
        Holdings memory before = _holdings(_tokenOf(p));
        escrow.settleHalf(settlement);
        _recordHalves(p, before, bits);
    }

    function _recordHalves(uint256 p, Holdings memory before, uint64 bits) private {
        _record(p, before, bits, false);
        for (uint64 left = bits; left != 0; left &= left - 1) ++_books[p].splits;
    }

    function _settlement(uint256 p, uint64 bits, bool close, bool byClient)
        private
        view
        returns (IPlanEscrow.Settlement memory settlement)
    {
        bytes32 structHash = _settlementHash(byClient, _books[p].id, _bindingOf(charterOf(p)), bits, close, 0);
        (settlement.terms, settlement.charter, settlement.bits, settlement.close) = (_terms[p], charterOf(p), bits, close);
        settlement.signature = _sign(byClient ? CLIENT_KEY : EVALUATOR_KEY, structHash);
    }

    /// @dev What silence pays whole, or splits in halves.
    function _recordSilence(uint256 p, Holdings memory before, uint64 bits) private {
        if (_terms[p].onSilence & 4 == 0) _record(p, before, bits, true);
        else _recordHalves(p, before, bits);
        _books[p].isSilenced = true;
    }

    /// @dev Where silence pays: the steps that the client disputed and no account ruled upon, and those that were submitted.
    function _owedBySilence(uint256 p) private view returns (uint64) {
        if (_terms[p].onSilence & 1 == 0 || !_isCharterIn(p)) return 0;
        (uint64 submitted, uint64 byPayee,,) = escrow.marks(_books[p].id);
        return (_with(p, 3) & ~byPayee) | (_pendingOf(p) & submitted);
    }

    function _isProposable(uint256 p) private view returns (bool) {
        IPlanEscrow.Terms storage terms = _terms[p];
        if (_books[p].vetoed || _books[p].noticed || terms.vetoSeconds == 0) return false;
        return block.timestamp + terms.vetoSeconds < terms.expiry;
    }

    function _veto(uint256 p, IPlanEscrow.Charter memory charter) private {
        Book storage entry = _books[p];
        escrow.veto(_terms[p], entry.version, _authorize(_vetoHash(entry.id, entry.version)));
        (entry.charter, entry.vetoed) = (IPlanEscrow.CharterState.None, true);
        _note(p);
        IPlanEscrow.Sealing memory again = _sealing(p, charter, true, _none());
        try escrow.seal(again) {
            _breach("19: a proposal counted after a veto");
        } catch {}
    }

    /// @dev The client side's word for the proposal in force.
    function _authorizeIt(uint256 p, IPlanEscrow.Charter memory charter) private {
        Book storage entry = _books[p];
        entry.version -= 1;
        IPlanEscrow.Sealing memory sealing = _sealing(p, charter, false, _none());
        delete sealing.memberSignatures;
        escrow.seal(sealing);
        _sealed(p, charter);
        _note(p);
    }

    /// @dev Some of the pending steps; at least one.
    function _choose(uint256 p, uint64 pick) private view returns (uint64 bits) {
        uint64 pending = _pendingOf(p);
        bits = pending & pick;
        if (bits == 0) bits = pending;
    }

    function _creditPayee(uint256 t, address payee, uint256 seed) private {
        IPlanEscrow.Terms memory terms = _makeTerms(seed);
        terms.token = address(_tokens[t]);
        IPlanEscrow.Charter memory charter;
        charter.steps = new IPlanEscrow.Step[](1);
        charter.steps[0] = IPlanEscrow.Step(payee, terms.total / 2);
        terms.charter = _bind(charter);
        uint256 p = _fundIt(terms, charter);
        WaywardToken.Answer answer = _tokens[t].answerTo(payee);
        _tokens[t].setAnswer(payee, WaywardToken.Answer.Revert);
        _settle(p, 1, false, false);
        _tokens[t].setAnswer(payee, answer);
    }

    /// @dev A plan that the call was not about looks as it did.
    function _lookAside(uint256 seed) private {
        if (_books.length == 0) return;
        uint256 p = uint256(keccak256(abi.encode(seed))) % _books.length;
        if (_books[p].word == 0) return;
        if (wordOf(_books[p].id) != _books[p].word) _breach("12: a plan changed in a call about another");
    }

    function _tally() private {
        ++calls;
        if (reached[msg.sig]++ == 0) _handlers.push(msg.sig);
    }
}
