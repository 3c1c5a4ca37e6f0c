// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Credits} from "./escrow/Credits.sol";
import {PlanCharters} from "./escrow/PlanCharters.sol";
import {PlanDisputes} from "./escrow/PlanDisputes.sol";
import {PlanFunding} from "./escrow/PlanFunding.sol";
import {PlanSettlement} from "./escrow/PlanSettlement.sol";
import {IPlanEscrow} from "./interfaces/IPlanEscrow.sol";
import {PlanSlot} from "./libraries/PlanSlot.sol";

/// @title PlanEscrow
/// @notice See {IPlanEscrow}. Immutable: no owner, no pause, no upgrade, no sweep, no ether.
/// @dev One contract, written in one part for each phase of a plan: {PlanFunding}, {PlanCharters}, {PlanSettlement},
///      {PlanDisputes}, and {Credits} beside it.
contract PlanEscrow is PlanFunding, PlanCharters, PlanSettlement, PlanDisputes, Credits {
    /// @param tokens one to four of them; their list can never change
    constructor(address[] memory tokens) EIP712("Parley PlanEscrow", "1") PlanFunding(tokens) {}

    /// @inheritdoc IPlanEscrow
    function plan(bytes32 id)
        external
        view
        returns (
            PlanStatus status,
            uint96 remaining,
            uint128 codes,
            uint24 version,
            CharterState charter,
            bool closing,
            bool vetoed,
            bool closeRequested
        )
    {
        PlanSlot slot = _plans[id].slot;
        charter = slot.authorized() ? CharterState.Authorized : slot.sealed_() ? CharterState.Proposed : CharterState.None;
        (status, remaining, codes) = (PlanStatus(slot.status()), slot.remaining(), slot.codes());
        (version, closing) = (slot.version(), slot.closing());
        (vetoed, closeRequested) = (slot.vetoed(), slot.noticed());
    }
}
