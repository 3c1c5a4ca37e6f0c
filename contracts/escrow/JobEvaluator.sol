// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";

/// @title The evaluator of JobEscrow8183's plans
/// @notice Says to the escrow what {JobEscrow8183} tells it. A contract of its own because a plan's client and evaluator
///         are two; holds nothing and remembers nothing.
contract JobEvaluator {
    error NotJobEscrow(address actual);

    address private immutable _jobs = msg.sender;
    IPlanEscrow private immutable _escrow;

    constructor(IPlanEscrow escrow) {
        _escrow = escrow;
    }

    /// @notice {IPlanEscrow.settle}, by word of this evaluator.
    /// @dev Caller: the contract that made this one.
    function settle(IPlanEscrow.Settlement calldata settlement) external {
        if (msg.sender != _jobs) revert NotJobEscrow(msg.sender);
        _escrow.settle(settlement);
    }
}
