// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {PlanEscrow} from "../../../contracts/PlanEscrow.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {vm} from "./Vm.sol";

/// @title What the fuzz may do: every call of the escrow, with sound arguments, by those who may, in any order
/// @dev Keeps its own books from the token's balances and the credits, never from what the escrow says was paid.
///      A call that must fail is tried too; if one comes through, `breach` says which.
contract Handler {
    struct Book {
        uint256 funded;
        uint256 paid;
        uint256 fee;
        uint256 refunded;
        uint256 codes;
        uint256 version;
        bytes32 closedAs;
    }

    uint256 private constant CLIENT_KEY = 0xc1;
    uint256 private constant EVALUATOR_KEY = 0xe1;
    bytes32 private constant CHARTER = keccak256("charter");
    bytes32 private constant CONCLUSION = keccak256("conclusion");

    PlanEscrow public immutable escrow;
    WaywardToken public immutable token;
    address private immutable _client = vm.addr(CLIENT_KEY);
    address private immutable _feeTo = address(0xfee);
    address[] private _payees;

    IPlanEscrow.Terms[] private _terms;
    mapping(uint256 plan => IPlanEscrow.Step[]) private _steps;
    Book[] private _books;

    uint256 public donated;
    string public breach;
    uint256 public settlements;
    uint256 public refunds;
    uint256 public closings;
    uint256 public credited;

    constructor(PlanEscrow escrow_, WaywardToken token_) {
        (escrow, token) = (escrow_, token_);
        for (uint160 i = 1; i <= 5; ++i) _payees.push(address(0xa000 + i));
        token.mint(_client, type(uint128).max);
        vm.prank(_client);
        token.approve(address(escrow), type(uint256).max);
    }

    function fund(uint96 total, uint16 feeBps, uint24 lasts, bool signed) public {
        IPlanEscrow.Terms memory terms = IPlanEscrow.Terms({
            client: _client,
            token: address(token),
            total: uint96(total % 1e12 + 1),
            workBy: uint40(block.timestamp + 1),
            reviewBy: uint40(block.timestamp + 1),
            expiry: uint40(block.timestamp + 1 + lasts % 100_000),
            feeBps: feeBps % 1001,
            feeTo: _feeTo,
            evaluator: vm.addr(EVALUATOR_KEY),
            arbitrator: address(0),
            onSilence: 0,
            charter: 0,
            briefHash: 0,
            salt: _terms.length
        });
        _terms.push(terms);
        _books.push();
        _books[_books.length - 1].funded = terms.total;
        if (signed) {
            escrow.fundWithAuthorization(terms, 0, type(uint256).max, "");
        } else {
            vm.prank(_client);
            escrow.fund(terms);
        }
    }

    function seal(uint256 which, uint256 count, uint256 seed, uint8 share) public {
        (uint256 p, bool open) = _pick(which);
        if (!open || _books[p].codes != 0 || block.timestamp >= _terms[p].expiry) return;
        _seal(p, count, seed, share);
    }

    function settle(uint256 which, uint64 pick, bool close, bool byClient) public {
        (uint256 p, bool open) = _pick(which);
        // There is always something to settle: a run that settles nothing shows nothing.
        bool unsealable = _books[p].version == 0 && block.timestamp >= _terms[p].expiry;
        if (!open || (!close && unsealable)) {
            fund(1e9, uint16(pick), 1000, false);
            p = _terms.length - 1;
        }
        // A plan without a charter is voided when it is closed, and sealed first when it is not.
        if (!close && _books[p].version == 0) _seal(p, pick, which, 255);
        IPlanEscrow.Step[] memory steps = _steps[p];
        uint64 bits = pick & _pending(p, steps.length);
        // The client alone cannot close on steps that are owed: it pays all of them, or leaves the plan open.
        if (byClient && close) bits = _pending(p, steps.length);
        if (bits == 0 && !close) bits = _pending(p, steps.length);
        if (bits == 0 && !close) return;

        (uint256 payees, uint256 fee, uint256 client) = _holdings();
        if (byClient) {
            vm.prank(_client);
            escrow.release(_settlement(p, bits, close, ""));
        } else {
            escrow.settle(_settlement(p, bits, close, _attest(p, bits, close)));
        }
        _record(p, payees, fee, client);
        if (bits != 0) ++settlements;
        _follow(p, bits, close);

        if (bits != 0) _mustFail(p, bits, "a step was paid twice");
    }

    /// @notice Settles without closing, so that no run of some length goes by without a payment.
    function settleOpen(uint256 which, uint64 pick, bool byClient) public {
        settle(which, pick | 1, false, byClient);
    }

    function refund(uint256 which) public {
        (uint256 p, bool open) = _pick(which);
        if (!open) return;
        if (block.timestamp < _terms[p].expiry) {
            try escrow.refund(_terms[p]) {
                breach = "refunded before the expiry";
            } catch {}
            return;
        }
        (uint256 payees, uint256 fee, uint256 client) = _holdings();
        escrow.refund(_terms[p]);
        _record(p, payees, fee, client);
        ++refunds;
        _follow(p, 0, true);
    }

    /// @notice Any plan, closed ones most of all, is asked for what it must not give.
    function overreach(uint256 which, uint64 pick, uint96 other) public {
        IPlanEscrow.Terms memory unfunded;
        (unfunded.client, unfunded.token, unfunded.total) = (_payees[0], address(token), other);
        try escrow.refund(unfunded) {
            breach = "a plan that was never funded was refunded";
        } catch {}
        if (_terms.length == 0) return;
        uint256 p = which % _terms.length;
        vm.prank(_client);
        try escrow.fund(_terms[p]) {
            breach = "a plan was funded twice";
        } catch {}
        if (_books[p].closedAs != 0) _mustFail(p, pick | 1, "a closed plan was settled");
    }

    function withdraw(uint256 who) public {
        address account = who % 7 == 5 ? _client : who % 7 == 6 ? _feeTo : _payees[who % 7];
        if (escrow.credit(address(token), account) == 0 || token.answerTo(account) != WaywardToken.Answer.True) return;
        vm.prank(account);
        escrow.withdrawCredit(address(token), account);
    }

    function block_(uint256 who, bool refuse) public {
        address account = who % 6 == 5 ? _client : _payees[who % 6];
        token.setAnswer(account, refuse ? WaywardToken.Answer.Revert : WaywardToken.Answer.True);
    }

    function donate(uint64 amount) public {
        token.mint(address(escrow), amount);
        donated += amount;
    }

    function pass(uint16 time) public {
        vm.warp(block.timestamp + time);
    }

    function plans() external view returns (uint256) {
        return _terms.length;
    }

    function book(uint256 p) external view returns (Book memory) {
        return _books[p];
    }

    function planId(uint256 p) external view returns (bytes32) {
        return escrow.planId(_terms[p]);
    }

    function feeOf(uint256 p) external view returns (uint256) {
        return _books[p].paid * _terms[p].feeBps / 10_000;
    }

    /// @notice Every credit there can be.
    function credits() public view returns (uint256 sum) {
        sum = escrow.credit(address(token), _client) + escrow.credit(address(token), _feeTo);
        for (uint256 i = 0; i < _payees.length; ++i) sum += escrow.credit(address(token), _payees[i]);
    }

    function word(uint256 p) public view returns (bytes32) {
        (IPlanEscrow.PlanStatus status, uint96 remaining, uint128 codes, uint24 version,,) =
            escrow.plan(escrow.planId(_terms[p]));
        return keccak256(abi.encode(status, remaining, codes, version));
    }

    /// @dev Every third time the newest plan, so that there is always one to work on.
    function _pick(uint256 which) private returns (uint256 p, bool open) {
        if (_terms.length == 0) fund(1e9, 100, 1000, false);
        p = which % 3 == 0 ? _terms.length - 1 : which % _terms.length;
        open = _books[p].closedAs == 0;
    }

    function _seal(uint256 p, uint256 count, uint256 seed, uint8 share) private {
        IPlanEscrow.Step[] memory steps = new IPlanEscrow.Step[](count % 64 + 1);
        // All steps and the highest fee fit, whatever `share` is.
        uint256 each = _terms[p].total * 10 / 11 / steps.length * share / 255;
        delete _steps[p];
        for (uint256 i = 0; i < steps.length; ++i) {
            steps[i] = IPlanEscrow.Step(_payees[uint256(keccak256(abi.encode(seed, i))) % _payees.length], uint96(each));
            _steps[p].push(steps[i]);
        }
        uint24 version = uint24(++_books[p].version);
        bytes32 digest = _digest(
            keccak256(
                abi.encode(
                    keccak256(
                        "Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)"
                    ),
                    escrow.planId(_terms[p]),
                    version,
                    keccak256(abi.encode(steps)),
                    keccak256(abi.encode(new IPlanEscrow.Royalty[](0))),
                    CHARTER
                )
            )
        );
        escrow.seal(
            IPlanEscrow.Sealing(
                _terms[p], version, _charter(p), _sign(EVALUATOR_KEY, digest), new IPlanEscrow.MemberSignature[](0)
            )
        );
    }

    /// @dev What payees, fee taker and client hold, their credits included.
    function _holdings() private view returns (uint256 payees, uint256 fee, uint256 client) {
        for (uint256 i = 0; i < _payees.length; ++i) {
            payees += token.balanceOf(_payees[i]) + escrow.credit(address(token), _payees[i]);
        }
        fee = token.balanceOf(_feeTo) + escrow.credit(address(token), _feeTo);
        client = token.balanceOf(_client) + escrow.credit(address(token), _client);
    }

    function _record(uint256 p, uint256 payees, uint256 fee, uint256 client) private {
        (uint256 payeesNow, uint256 feeNow, uint256 clientNow) = _holdings();
        _books[p].paid += payeesNow - payees;
        _books[p].fee += feeNow - fee;
        _books[p].refunded += clientNow - client;
        if (credits() != 0) ++credited;
    }

    /// @dev Moves each step's code by the only ways there are, and compares with the escrow's.
    function _follow(uint256 p, uint64 bits, bool closed) private {
        uint256 codes = _books[p].codes;
        for (uint256 i = 0; i < 64; ++i) {
            uint256 code = (codes >> (2 * i)) & 3;
            if ((bits >> i) & 1 == 1) {
                if (code != 0) breach = "a step left pending twice";
                codes |= uint256(1) << (2 * i);
            } else if (closed && code == 0) {
                codes |= uint256(2) << (2 * i);
            }
        }
        _books[p].codes = codes;
        if (!closed) return;
        ++closings;
        _books[p].closedAs = word(p);
    }

    function _pending(uint256 p, uint256 steps) private view returns (uint64 bits) {
        for (uint256 i = 0; i < steps; ++i) {
            if ((_books[p].codes >> (2 * i)) & 3 == 0) bits |= uint64(1) << uint64(i);
        }
    }

    function _mustFail(uint256 p, uint64 bits, string memory otherwise) private {
        try escrow.settle(_settlement(p, bits, false, _attest(p, bits, false))) {
            breach = otherwise;
        } catch {}
    }

    function _charter(uint256 p) private view returns (IPlanEscrow.Charter memory) {
        return IPlanEscrow.Charter(_steps[p], new IPlanEscrow.Royalty[](0), CHARTER);
    }

    function _settlement(uint256 p, uint64 bits, bool close, bytes memory signature)
        private
        view
        returns (IPlanEscrow.Settlement memory)
    {
        return IPlanEscrow.Settlement(_terms[p], _charter(p), bits, close, CONCLUSION, signature);
    }

    function _attest(uint256 p, uint64 bits, bool close) private view returns (bytes memory) {
        return _sign(
            EVALUATOR_KEY,
            _digest(
                keccak256(
                    abi.encode(
                        keccak256("Attestation(bytes32 planId,uint24 version,uint64 bits,bool close,bytes32 conclusionHash)"),
                        escrow.planId(_terms[p]),
                        _books[p].version,
                        bits,
                        close,
                        CONCLUSION
                    )
                )
            )
        );
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Parley PlanEscrow"),
                keccak256("1"),
                block.chainid,
                address(escrow)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
