// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {Books} from "./Books.sol";
import {deployEscrow} from "./Deploy.sol";
import {Handler} from "./Handler.sol";

/// @title What holds after any sequence of calls
/// @dev By number; those that look at one call are checked by handlers and books as they go, and reported as a breach.
///       1 the escrow holds what plans, credits and gifts come to, no more and no less
///       2 what was paid in is what was paid out, is credited, or is held
///       3 of each plan: paid + fee + refunded + held is what was funded; closed, it holds nothing
///       4 a step ends once, a plan closes once
///       5 steps and charters change only along the edges there are
///       6 a credit rises by a payment to its owner, and falls by its owner's word
///       7 no account gets more than the charter and terms that were signed
///       8 the fee is the one that was signed, on what was paid
///       9 a plan is funded once, a nonce used once, for ever
///      10 nothing is paid by silence, or refunded, before its time
///      11 after its expiry, one call by any account empties a plan
///      12 a call about one plan changes no other
///      13 the shares of a split come to the whole (Rounding.t.sol: each share there is)
///      14 a transfer that the token refuses moves nothing and is credited
///      15 the books of what moved are the escrow's own
///      16 ether has no part in anything
///      17 the escrow gives no allowance
///      19 a proposal pays nothing within its veto window, and none counts after a veto
///      18 every handler did its work in one call of a hundred, every end was reached; or the run is void
contract PlanEscrowInvariants {
    /// @dev How a run has to have ended at least once.
    struct Ends {
        uint256 paid;
        uint256 mixed;
        uint256 refunded;
        uint256 silenced;
        uint256 ruled;
        uint256 split;
    }

    uint256 private constant HANDLERS = 23;

    IPlanEscrow private _escrow;
    Handler private _handler;

    function setUp() public {
        WaywardToken[2] memory pair = [new WaywardToken(), new WaywardToken()];
        address[] memory tokens = new address[](2);
        (tokens[0], tokens[1]) = (address(pair[0]), address(pair[1]));
        _escrow = IPlanEscrow(deployEscrow(tokens));
        _handler = new Handler(_escrow, pair);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice 1, 2, 14, 16, of one token after each call, by turns; and everything that the handlers and books found.
    /// hardhat-config: default.invariant.runs = 4
    /// hardhat-config: thorough.invariant.runs = 200
    /// hardhat-config: thorough.invariant.depth = 500
    /// hardhat-config: default.invariant.depth = 500
    function invariant_owesWhatItHolds() public view {
        if (_handler.isBroken()) revert(_handler.breach());
        _requireSolvent(_handler.calls() % 2);
    }

    /// @notice What is looked at once, when a run has ended.
    function afterInvariant() public {
        Ends memory ends;
        for (uint256 p = 0; p < _handler.plans(); ++p) _requireSoundPlan(p, ends);
        for (uint256 t = 0; t < 2; ++t) {
            require(_handler.tokens(t).allowance(address(_escrow), address(_handler)) == 0, "17: an allowance was given");
        }
        _requireReached(ends);
        _handler.drain();
        if (_handler.isBroken()) revert(_handler.breach());
        for (uint256 t = 0; t < 2; ++t) {
            _requireSolvent(t);
            require(_handler.held(t) == 0, "11: money is stuck");
        }
    }

    function _requireSolvent(uint256 t) private view {
        uint256 owed = _handler.held(t) + _handler.credits(t) + _handler.donated(t);
        require(_handler.tokens(t).balanceOf(address(_escrow)) == owed, "1: holds more or less than it owes");
    }

    /// @dev 3, 7, 8, 12, 13, 15: each plan adds up, within its terms, as its books have it.
    function _requireSoundPlan(uint256 p, Ends memory ends) private view {
        Books.Book memory book = _handler.book(p);
        IPlanEscrow.Terms memory terms = _handler.termsOf(p);
        (, uint96 left,,,,,,) = _escrow.plan(book.id);
        require(book.paid + book.fee + book.refunded + left == book.funded, "3: does not add up");
        require(left == book.held, "15: the books and the plan differ");
        require(book.word == 0 || _handler.wordOf(book.id) == book.word, "12: a plan changed in a call about another");
        uint256 sealedSum;
        IPlanEscrow.Step[] memory steps = _handler.charterOf(p).steps;
        for (uint256 i = 0; i < steps.length; ++i) sealedSum += steps[i].amount;
        require(book.paid <= sealedSum, "7: the team got more than its charter");
        uint256 fee = book.paid * terms.feeBps / 10_000;
        // Each split bears a fee of its own, rounded down.
        require(book.fee <= fee && book.fee + book.splits >= fee, "8: another fee than was signed");

        if (book.isSilenced) ++ends.silenced;
        if (book.isRuled) ++ends.ruled;
        if (book.isSplit) ++ends.split;
        if (!book.closed) return;
        if (book.paid == 0) ++ends.refunded;
        else if (book.refunded <= terms.total - sealedSum - sealedSum * terms.feeBps / 10_000) ++ends.paid;
        else ++ends.mixed;
    }

    /// @dev 18: a run that did not get everywhere shows nothing.
    function _requireReached(Ends memory ends) private view {
        bytes4[] memory handlers = _handler.handlers();
        require(handlers.length == HANDLERS, "18: void, a handler was never reached");
        for (uint256 i = 0; i < handlers.length; ++i) {
            require(_handler.reached(handlers[i]) * 100 >= _handler.calls(), "18: void, a handler was hardly reached");
        }
        require(ends.paid != 0 && ends.mixed != 0 && ends.refunded != 0, "18: void, no plan was paid, mixed or refunded");
        require(ends.silenced != 0 && ends.ruled != 0 && ends.split != 0, "18: void, none silenced, ruled or split");
    }
}
