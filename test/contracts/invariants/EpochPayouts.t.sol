// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {EpochHandler} from "./EpochHandler.sol";

/// @title What holds of epochs after any sequence of calls
contract EpochPayoutsInvariants {
    WaywardToken private _token;
    EpochHandler private _handler;

    function setUp() public {
        _token = new WaywardToken();
        _handler = new EpochHandler(_token);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice The contract holds exactly the deposit that is not paid, the bond, credits and gifts.
    /// hardhat-config: default.invariant.depth = 500
    function invariant_epochSolvency() public view {
        uint256 held = _handler.deposited() - _handler.reclaimed() - _handler.paidOut();
        held += _handler.bonds() - _handler.slashed() + _handler.credits() + _handler.donated();
        require(_token.balanceOf(address(_handler.payouts())) == held, "holds more or less than it owes");
    }

    /// @notice Nobody is paid more than an accepted root said, and what it said is there.
    /// hardhat-config: default.invariant.depth = 500
    function invariant_paidAsAccepted() public view {
        for (uint256 i = 0; i < 4; ++i) require(_handler.paidTo(i) <= _handler.accepted(i), "paid more than was accepted");
        (uint256 deposited,,) = _handler.payouts().money();
        require(deposited == _handler.deposited() - _handler.reclaimed(), "deposits went another way");
        require(_handler.owed() <= deposited, "owes more than is there");
        require(bytes(_handler.breach()).length == 0, _handler.breach());
    }

    /// @notice A run in which nothing was accepted, voided, claimed or reclaimed shows nothing.
    function afterInvariant() public view {
        require(_handler.acceptances() != 0, "void: no root was accepted");
        require(_handler.challenges() + _handler.enforcements() != 0, "void: no bad root was voided");
        require(_handler.claims() != 0, "void: nothing was claimed");
        require(_handler.exits() != 0, "void: nothing was reclaimed");
    }
}
