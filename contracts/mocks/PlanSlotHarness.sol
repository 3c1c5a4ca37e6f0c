// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PlanSlot, PlanSlots} from "../libraries/PlanSlot.sol";

/// @title Lets tests call the slot codec. For tests only.
contract PlanSlotHarness {
    function read(uint256 word)
        external
        pure
        returns (uint128 codes, uint96 remaining, uint8 status, uint24 version, uint64 pending, uint64 paid)
    {
        PlanSlot slot = PlanSlot.wrap(word);
        return (slot.codes(), slot.remaining(), slot.status(), slot.version(), slot.pendingBits(), slot.paidBits());
    }

    function withRemaining(uint256 word, uint96 value) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withRemaining(value));
    }

    function withStatus(uint256 word, uint8 value) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withStatus(value));
    }

    function withVersion(uint256 word, uint24 value) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withVersion(value));
    }

    function withPaid(uint256 word, uint64 bits) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withPaid(bits));
    }

    function withPendingRefunded(uint256 word) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withPendingRefunded());
    }

    /// @notice One call for a whole table: each word is spread and gathered back.
    function spreadAll(uint64[] calldata bits) external pure returns (uint256[] memory spread, uint64[] memory gathered) {
        spread = new uint256[](bits.length);
        gathered = new uint64[](bits.length);
        for (uint256 i = 0; i < bits.length; ++i) {
            spread[i] = PlanSlots.spread(bits[i]);
            gathered[i] = PlanSlots.gather(spread[i]);
        }
    }
}
