// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IEpochPayouts} from "../../../contracts/interfaces/IEpochPayouts.sol";
import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {deploy} from "./Deploy.sol";
import {vm} from "./Vm.sol";

/// @title What the fuzz may do with epochs: honest roots and bad ones, challenges, claims and exits, in any order
/// @dev Four accounts, one leaf each; a bad root shrinks one account in favour of another, or says nothing of it. No bad
///      root is let through: whoever lets time pass challenges first, as somebody has to.
contract EpochHandler {
    enum Kind {
        Honest,
        Shrunk,
        Omitting
    }

    address private constant DEPOSITOR = address(0xd1);
    address private constant OPERATOR = address(0xe1);
    uint96 private constant BOND = 1e9;
    uint40 private constant WINDOW = 1 hours;
    uint40 private constant SILENCE = 7 days;
    uint256 private constant ACCOUNTS = 4;

    IEpochPayouts public immutable payouts;
    WaywardToken public immutable token;
    address[ACCOUNTS] private _accounts;

    /// @notice What the accepted root owes, and the pending one; the leaves in the order of the tree.
    uint96[ACCOUNTS] public accepted;
    uint96[ACCOUNTS] public pending;
    address[ACCOUNTS] private _pendingAccounts;
    bool private _isPending;
    Kind private _kind;
    uint256 private _victim;
    uint256 public acceptedSlot;
    uint256 private _pendingSlot;

    uint256 public deposited;
    uint256 public reclaimed;
    uint256 public bonds;
    uint256 public slashed;
    uint256 public donated;
    uint256 public acceptances;
    uint256 public challenges;
    uint256 public enforcements;
    uint256 public claims;
    uint256 public exits;
    string public breach;

    constructor(WaywardToken token_) {
        token = token_;
        bytes memory terms = abi.encode(IEpochPayouts.Terms(DEPOSITOR, OPERATOR, address(token), BOND, WINDOW, SILENCE));
        payouts = IEpochPayouts(deploy("EPOCH_PAYOUTS_BYTECODE", terms));
        for (uint160 i = 0; i < ACCOUNTS; ++i) _accounts[i] = address(0xa001 + i);
        for (uint256 i = 0; i < 2; ++i) {
            address who = i == 0 ? DEPOSITOR : OPERATOR;
            token.mint(who, type(uint128).max);
            vm.prank(who);
            token.approve(address(payouts), type(uint256).max);
        }
    }

    function deposit(uint80 amount, bool signed) public {
        uint96 more = uint96(amount % 1e12 + 1e9);
        if (signed) {
            payouts.depositWithAuthorization(more, 0, type(uint256).max, bytes32(uint256(amount)), "");
        } else {
            vm.prank(DEPOSITOR);
            payouts.deposit(more);
        }
        deposited += more;
    }

    function commit(uint256 seed, uint8 kind) public {
        if (_isPending) return;
        (, bool bonded,) = payouts.money();
        if (!bonded) {
            vm.prank(OPERATOR);
            payouts.postBond();
            bonds += BOND;
        }
        (uint256 held,,) = payouts.money();
        uint256 free = held - _sum(accepted);
        if (free < 1e6) {
            deposit(uint80(seed), false);
            free = 1e6;
        }
        uint96 growth = uint96(seed % (free / ACCOUNTS) + 1);
        _victim = seed % ACCOUNTS;
        pending = accepted;
        _pendingAccounts = _accounts;
        for (uint256 i = 0; i < ACCOUNTS; ++i) pending[i] += uint96(uint256(keccak256(abi.encode(seed, i))) % growth);
        // Every third root or so is bad, once there is something to be bad about.
        _kind = accepted[_victim] == 0 ? Kind.Honest : Kind(kind % 3);
        if (_kind != Kind.Honest) {
            uint96 cut = _kind == Kind.Shrunk ? pending[_victim] - accepted[_victim] + 1 : pending[_victim];
            pending[_victim] -= cut;
            pending[(_victim + 1) % ACCOUNTS] += cut;
            if (_kind == Kind.Omitting) _pendingAccounts[_victim] = address(0xdead);
        }
        (bytes32 root, uint96 total) = _root(_pendingAccounts, pending);
        vm.prank(OPERATOR);
        payouts.commit(root, total);
        _isPending = true;
        (, _pendingSlot,,,,) = payouts.epoch();
        vm.prank(OPERATOR);
        try payouts.withdrawBond() {
            breach = "the bond left while a root was pending";
        } catch {}
    }

    /// @notice Somebody who looks: proves a shrunk root, or asks about one that leaves an account out.
    function look() public {
        if (!_isPending) return;
        if (_kind == Kind.Honest) return _tryFalse();
        bytes memory before = _proof(_accounts, accepted, _victim);
        uint256 balance = token.balanceOf(address(this)) + payouts.credit(address(this));
        if (_kind == Kind.Shrunk) {
            payouts.challenge(
                _accounts[_victim],
                accepted[_victim],
                before,
                pending[_victim],
                _proof(_pendingAccounts, pending, _victim)
            );
            ++challenges;
        } else {
            payouts.demand(_accounts[_victim], accepted[_victim], before);
            vm.warp(block.timestamp + WINDOW);
            _claimPending("a held root paid");
            payouts.enforce(_accounts[_victim]);
            ++enforcements;
        }
        if (token.balanceOf(address(this)) + payouts.credit(address(this)) - balance != BOND) breach = "no bond for a fault";
        slashed += BOND;
        _isPending = false;
    }

    /// @notice An honest operator is asked, and answers.
    function ask(uint256 which, bool late) public {
        uint256 i = which % ACCOUNTS;
        if (!_isPending || _kind != Kind.Honest || accepted[i] == 0) return;
        bytes memory before = _proof(_accounts, accepted, i);
        try payouts.demand(_accounts[i], accepted[i], before) {}
        catch {
            return;
        }
        if (late) vm.warp(block.timestamp + 2 * WINDOW);
        payouts.answer(_accounts[i], pending[i], _proof(_pendingAccounts, pending, i));
        if (late) _accept();
    }

    function pass(uint16 time) public {
        if (_isPending && _kind != Kind.Honest) look();
        vm.warp(block.timestamp + time);
        (,,,,, uint256 from) = payouts.epoch();
        if (_isPending && block.timestamp >= from) _accept();
    }

    /// @notice Waits the window out, so that no run goes by without an accepted root.
    function passWindow() public {
        pass(uint16(WINDOW));
    }

    function claim(uint256 which, bool many) public {
        uint256 i = which % ACCOUNTS;
        if (_isPending) _claimPending("a pending root paid");
        if (accepted[i] == 0) return;
        uint256 paid = payouts.claimed(_accounts[i]);
        uint256 before = _holdings(i);
        IEpochPayouts.Claim[] memory claims_ = new IEpochPayouts.Claim[](1);
        claims_[0] = IEpochPayouts.Claim(_accounts[i], accepted[i], _proof(_accounts, accepted, i));
        if (many || paid == accepted[i]) {
            payouts.claimMany(acceptedSlot, claims_);
        } else {
            payouts.claim(acceptedSlot, claims_[0].account, claims_[0].cumulative, claims_[0].proof);
        }
        if (_holdings(i) - before != accepted[i] - paid) breach = "a claim paid another difference";
        ++claims;
    }

    function exit(bool waits) public {
        (,, uint256 requested) = payouts.money();
        if (requested == 0) {
            vm.prank(DEPOSITOR);
            payouts.requestExit();
        }
        if (!waits) return;
        if (_isPending && _kind != Kind.Honest) look();
        vm.warp(block.timestamp + SILENCE);
        if (_isPending) _accept();
        (uint256 held,,) = payouts.money();
        if (held == _sum(accepted)) return;
        uint256 before = token.balanceOf(DEPOSITOR) + payouts.credit(DEPOSITOR);
        vm.prank(DEPOSITOR);
        payouts.reclaim();
        uint256 back = token.balanceOf(DEPOSITOR) + payouts.credit(DEPOSITOR) - before;
        if (back != held - _sum(accepted)) breach = "reclaimed another sum than was free";
        reclaimed += back;
        ++exits;
    }

    function withdrawBond() public {
        (, bool bonded,) = payouts.money();
        if (!bonded || _isPending) return;
        vm.prank(OPERATOR);
        payouts.withdrawBond();
        bonds -= BOND;
    }

    function block_(uint256 who, bool refuse) public {
        token.setAnswer(_accounts[who % ACCOUNTS], refuse ? WaywardToken.Answer.Revert : WaywardToken.Answer.True);
    }

    function takeCredit(uint256 who) public {
        address account = _accounts[who % ACCOUNTS];
        if (payouts.credit(account) == 0 || token.answerTo(account) != WaywardToken.Answer.True) return;
        vm.prank(account);
        payouts.withdrawCredit(account);
    }

    function donate(uint64 amount) public {
        token.mint(address(payouts), amount);
        donated += amount;
    }

    function credits() external view returns (uint256 sum) {
        for (uint256 i = 0; i < ACCOUNTS; ++i) sum += payouts.credit(_accounts[i]);
    }

    function paidOut() external view returns (uint256 sum) {
        for (uint256 i = 0; i < ACCOUNTS; ++i) sum += payouts.claimed(_accounts[i]);
    }

    function paidTo(uint256 i) external view returns (uint256) {
        return payouts.claimed(_accounts[i]);
    }

    function owed() external view returns (uint256) {
        return _sum(accepted);
    }

    function _accept() private {
        accepted = pending;
        (acceptedSlot, _isPending) = (_pendingSlot, false);
        ++acceptances;
    }

    /// @dev An honest root is accused of what it did not do.
    function _tryFalse() private {
        if (accepted[_victim] == 0) return;
        bytes memory before = _proof(_accounts, accepted, _victim);
        bytes memory after_ = _proof(_pendingAccounts, pending, _victim);
        try payouts.challenge(_accounts[_victim], accepted[_victim], before, pending[_victim], after_) {
            breach = "an honest root was voided";
        } catch {}
        try payouts.enforce(_accounts[_victim]) {
            breach = "an honest root was voided for silence";
        } catch {}
    }

    function _claimPending(string memory otherwise) private {
        uint256 i = (_victim + 1) % ACCOUNTS;
        try payouts.claim(_pendingSlot, _accounts[i], pending[i], _proof(_pendingAccounts, pending, i)) {
            breach = otherwise;
        } catch {}
    }

    function _holdings(uint256 i) private view returns (uint256) {
        return token.balanceOf(_accounts[i]) + payouts.credit(_accounts[i]);
    }

    function _sum(uint96[ACCOUNTS] memory amounts) private pure returns (uint256 sum) {
        for (uint256 i = 0; i < ACCOUNTS; ++i) sum += amounts[i];
    }

    function _leaf(address account, uint96 amount) private view returns (bytes memory) {
        bytes32 inner = keccak256(abi.encode(account, address(token), amount));
        return abi.encodePacked(keccak256(abi.encodePacked(inner)), amount);
    }

    function _parent(bytes memory a, bytes memory b) private pure returns (bytes memory) {
        (bytes memory low, bytes memory high) = bytes32(a) <= bytes32(b) ? (a, b) : (b, a);
        return abi.encodePacked(keccak256(bytes.concat(low, high)), _sumOf(a) + _sumOf(b));
    }

    function _sumOf(bytes memory node) private pure returns (uint96 sum) {
        assembly ("memory-safe") {
            sum := shr(160, mload(add(node, 0x40)))
        }
    }

    function _root(address[ACCOUNTS] memory who, uint96[ACCOUNTS] memory amounts)
        private
        view
        returns (bytes32, uint96)
    {
        bytes memory top = _parent(
            _parent(_leaf(who[0], amounts[0]), _leaf(who[1], amounts[1])),
            _parent(_leaf(who[2], amounts[2]), _leaf(who[3], amounts[3]))
        );
        return (bytes32(top), _sumOf(top));
    }

    function _proof(address[ACCOUNTS] memory who, uint96[ACCOUNTS] memory amounts, uint256 i)
        private
        view
        returns (bytes memory)
    {
        uint256 far = i < 2 ? 2 : 0;
        return bytes.concat(
            _leaf(who[i ^ 1], amounts[i ^ 1]),
            _parent(_leaf(who[far], amounts[far]), _leaf(who[far + 1], amounts[far + 1]))
        );
    }
}
