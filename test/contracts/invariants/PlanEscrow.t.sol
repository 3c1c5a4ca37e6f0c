// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {PlanEscrow} from "../../../contracts/PlanEscrow.sol";
import {IPlanEscrow} from "../../../contracts/interfaces/IPlanEscrow.sol";
import {Handler} from "./Handler.sol";

/// @title What holds after any sequence of calls
contract PlanEscrowInvariants {
    PlanEscrow private _escrow;
    WaywardToken private _token;
    Handler private _handler;

    function setUp() public {
        _token = new WaywardToken();
        address[] memory tokens = new address[](1);
        tokens[0] = address(_token);
        _escrow = new PlanEscrow(tokens);
        _handler = new Handler(_escrow, _token);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice The escrow holds exactly what it owes: plans, credits and gifts.
    function invariant_solvency() public view {
        uint256 owed = _handler.credits() + _handler.donated();
        for (uint256 p = 0; p < _handler.plans(); ++p) {
            (, uint96 remaining,,,,) = _escrow.plan(_handler.planId(p));
            owed += remaining;
        }
        require(_token.balanceOf(address(_escrow)) == owed, "holds more or less than it owes");
    }

    /// @notice Of each plan: paid + fee + refunded + remaining is what was funded, and the fee is what the terms say.
    function invariant_everyPlanAddsUp() public view {
        for (uint256 p = 0; p < _handler.plans(); ++p) {
            Handler.Book memory book = _handler.book(p);
            (, uint96 remaining,,,,) = _escrow.plan(_handler.planId(p));
            require(book.paid + book.fee + book.refunded + remaining == book.funded, "does not add up");
            require(book.fee == _handler.feeOf(p), "another fee than was signed");
        }
    }

    /// @notice A closed plan keeps nothing and never changes.
    function invariant_closedIsTheEnd() public view {
        for (uint256 p = 0; p < _handler.plans(); ++p) {
            Handler.Book memory book = _handler.book(p);
            (IPlanEscrow.PlanStatus status, uint96 remaining,,,,) = _escrow.plan(_handler.planId(p));
            require((status == IPlanEscrow.PlanStatus.Closed) == (book.closedAs != 0), "closed by nobody, or not at all");
            if (book.closedAs == 0) continue;
            require(remaining == 0 && _handler.word(p) == book.closedAs, "a closed plan changed");
        }
    }

    /// @notice Each step goes from pending to paid or refunded once, and nothing forbidden came through.
    function invariant_stepsLeavePendingOnce() public view {
        for (uint256 p = 0; p < _handler.plans(); ++p) {
            (,, uint128 codes, uint24 version,,) = _escrow.plan(_handler.planId(p));
            Handler.Book memory book = _handler.book(p);
            require(codes == book.codes, "codes went another way");
            require(version == book.version, "versions went another way");
        }
        require(bytes(_handler.breach()).length == 0, _handler.breach());
    }

    /// @notice A run that never settled, refunded, closed or credited shows nothing.
    function afterInvariant() public view {
        require(_handler.settlements() != 0, "void: nothing was settled");
        require(_handler.closings() != 0, "void: nothing was closed");
    }
}
