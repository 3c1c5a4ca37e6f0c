// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {ActorSignatures} from "./ActorSignatures.sol";

/// @title The books that the fuzz keeps: from what tokens and credits say that people hold, never from what the escrow
///        says was paid
abstract contract Books is ActorSignatures {
    struct Book {
        bytes32 id;
        uint256 funded;
        uint256 paid;
        uint256 fee;
        uint256 refunded;
        uint256 held;
        uint256 splits;
        uint128 codes;
        uint24 version;
        IPlanEscrow.CharterState charter;
        bool vetoed;
        bool noticed;
        uint40 payableFrom;
        bool closed;
        bool isSilenced;
        bool isRuled;
        bool isSplit;
        bytes32 word;
    }

    /// @dev What payees, fee taker and client hold of one token, credits included.
    struct Holdings {
        uint256 team;
        uint256 fee;
        uint256 client;
    }

    WaywardToken[2] internal _tokens;
    IPlanEscrow.Terms[] internal _terms;
    mapping(uint256 plan => IPlanEscrow.Charter) private _charters;
    Book[] internal _books;

    uint256[2] public donated;
    /// @notice What the plans of a token hold, all together.
    uint256[2] public held;
    string public breach;

    constructor(WaywardToken[2] memory pair) {
        _tokens = pair;
    }

    function plans() external view returns (uint256) {
        return _books.length;
    }

    function book(uint256 p) external view returns (Book memory) {
        return _books[p];
    }

    function termsOf(uint256 p) external view returns (IPlanEscrow.Terms memory) {
        return _terms[p];
    }

    function charterOf(uint256 p) public view returns (IPlanEscrow.Charter memory) {
        return _charters[p];
    }

    function _stepCount(uint256 p) internal view returns (uint256) {
        return _charters[p].steps.length;
    }

    function tokens(uint256 t) external view returns (WaywardToken) {
        return _tokens[t];
    }

    /// @notice Everything that the escrow remembers of a plan, in one word.
    function wordOf(bytes32 id) public view returns (bytes32) {
        return keccak256(bytes.concat(_slotOf(id), abi.encode(escrow.charterOf(id)), _marksOf(id)));
    }

    /// @dev On its own, for the sake of the stack.
    function _slotOf(bytes32 id) private view returns (bytes memory) {
        (bool success, bytes memory slot) = address(escrow).staticcall(abi.encodeCall(escrow.plan, (id)));
        require(success);
        return slot;
    }

    function _marksOf(bytes32 id) private view returns (bytes memory) {
        (bool success, bytes memory found) = address(escrow).staticcall(abi.encodeCall(escrow.marks, (id)));
        require(success);
        return found;
    }

    function _submitted(bytes32 id) internal view returns (uint64 bits) {
        (bits,,,) = escrow.marks(id);
    }

    /// @notice Every credit there can be in one of the tokens.
    function credits(uint256 t) public view returns (uint256 sum) {
        address token = address(_tokens[t]);
        sum = escrow.credit(token, _client) + escrow.credit(token, _feeTo) + escrow.credit(token, _patron);
        for (uint256 i = 0; i < PAYEES; ++i) sum += escrow.credit(token, _payees[i]);
    }

    function isBroken() external view returns (bool) {
        return bytes(breach).length != 0;
    }

    function _tokenOf(uint256 p) internal view returns (uint256) {
        return _terms[p].token == address(_tokens[0]) ? 0 : 1;
    }

    function _breach(string memory what) internal {
        breach = what;
    }

    function _learn(IPlanEscrow.Terms memory terms, IPlanEscrow.Charter memory charter) internal returns (uint256 p) {
        p = _books.length;
        _terms.push(terms);
        _books.push();
        Book storage entry = _books[p];
        (entry.id, entry.funded, entry.held) = (escrow.planId(terms), terms.total, terms.total);
        held[_tokenOf(p)] += terms.total;
        entry.word = wordOf(entry.id);
        if (terms.charter == 0) return p;
        _keep(p, charter);
        entry.charter = IPlanEscrow.CharterState.Authorized;
    }

    function _keep(uint256 p, IPlanEscrow.Charter memory charter) internal {
        delete _charters[p];
        IPlanEscrow.Charter storage kept = _charters[p];
        for (uint256 i = 0; i < charter.steps.length; ++i) kept.steps.push(charter.steps[i]);
        for (uint256 i = 0; i < charter.royalties.length; ++i) kept.royalties.push(charter.royalties[i]);
        kept.charterHash = charter.charterHash;
    }

    function _holdings(uint256 t) internal view returns (Holdings memory all) {
        WaywardToken token = _tokens[t];
        for (uint256 i = 0; i < PAYEES; ++i) all.team += _held(token, _payees[i]);
        all.team += _held(token, _patron);
        all.fee = _held(token, _feeTo);
        all.client = _held(token, _client);
    }

    /// @dev Books what a call about plan `p` moved, and looks at what it did to the plan.
    ///      `ended`: the steps that were to leave pending or dispute. `asPaid`: whole.
    function _record(uint256 p, Holdings memory before, uint64 ended, bool asPaid) internal {
        Book storage entry = _books[p];
        if (entry.closed) _breach("4: a closed plan paid");
        Holdings memory now_ = _holdings(_tokenOf(p));
        entry.paid += now_.team - before.team;
        entry.fee += now_.fee - before.fee;
        entry.refunded += now_.client - before.client;
        (IPlanEscrow.PlanStatus status, uint96 left, uint128 codes,,, bool closing,,) = escrow.plan(entry.id);
        held[_tokenOf(p)] = held[_tokenOf(p)] + left - entry.held;
        entry.held = left;
        entry.closed = status == IPlanEscrow.PlanStatus.Closed;
        _requireEdges(entry.codes, codes, ended, asPaid, entry.closed || closing);
        entry.codes = codes;
        entry.word = wordOf(entry.id);
        if (entry.paid + entry.fee + entry.refunded + left != entry.funded) _breach("3: a plan does not add up");
        if (entry.closed && left != 0) _breach("3: a closed plan holds money");
    }

    /// @dev Steps go from pending to paid, ended or disputed, and from disputed to paid or ended; nothing else moves.
    function _requireEdges(uint128 from, uint128 to, uint64 ended, bool asPaid, bool closes) private {
        // Above the last step that is named, or looks otherwise than before, nothing has moved.
        for (uint256 i = 0; ended >> i != 0 || (from ^ to) >> (2 * i) != 0; ++i) {
            (uint256 a, uint256 b) = ((from >> (2 * i)) & 3, (to >> (2 * i)) & 3);
            bool isNamed = (ended >> i) & 1 == 1;
            if (isNamed && (a == 1 || a == 2)) _breach("4: a step ended twice");
            if (isNamed && b != (asPaid ? 1 : 2)) _breach("5: a step went another way than it was sent");
            if (isNamed || a == b) continue;
            if (!closes || b != 2 || a == 1) _breach("5: a step moved that no account named");
        }
    }

    function _held(WaywardToken token, address account) private view returns (uint256) {
        return token.balanceOf(account) + escrow.credit(address(token), account);
    }
}
