// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PlanSlot, PlanSlots} from "../libraries/PlanSlot.sol";

/// @title Lets tests call the slot codec. For tests only.
contract PlanSlotHarness {
    /// @notice Every field of a slot.
    struct Fields {
        uint128 codes;
        uint96 remaining;
        uint8 status;
        bool isSealed;
        bool authorized;
        bool closing;
        bool vetoed;
        bool noticed;
        uint24 version;
        uint64 pending;
        uint64 paid;
        uint64 disputed;
    }

    function read(uint256 word) external pure returns (Fields memory) {
        PlanSlot slot = PlanSlot.wrap(word);
        return Fields({
            codes: slot.codes(),
            remaining: slot.remaining(),
            status: slot.status(),
            isSealed: slot.sealed_(),
            authorized: slot.authorized(),
            closing: slot.closing(),
            vetoed: slot.vetoed(),
            noticed: slot.noticed(),
            version: slot.version(),
            pending: uint64(slot.pendingBits()),
            paid: uint64(slot.paidBits()),
            disputed: uint64(slot.disputedBits())
        });
    }

    function withRemaining(uint256 word, uint96 value) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withRemaining(value));
    }

    function less(uint256 word, uint96 amount) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).less(amount));
    }

    /// @notice Whether `bits` are pending, and the word once they are marked paid as such.
    function withPendingPaid(uint256 word, uint64 bits) external pure returns (bool isPending, uint256 paid) {
        PlanSlot slot = PlanSlot.wrap(word);
        uint256 low = PlanSlots.spread(bits);
        return (slot.isPending(low), PlanSlot.unwrap(slot.withPendingPaid(low)));
    }

    function withStatus(uint256 word, uint8 value) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withStatus(value));
    }

    function withCharter(uint256 word, uint24 value, bool authorized) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withCharter(value, authorized));
    }

    function withVeto(uint256 word) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withVeto());
    }

    function withNotice(uint256 word) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withNotice());
    }

    function withClosing(uint256 word, bool value) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withClosing(value));
    }

    function withPaid(uint256 word, uint64 bits) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withPaid(bits));
    }

    function withEnded(uint256 word, uint64 bits) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withEnded(bits));
    }

    function withDisputed(uint256 word, uint64 bits) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withDisputed(bits));
    }

    function withPendingEnded(uint256 word, uint64 kept) external pure returns (uint256) {
        return PlanSlot.unwrap(PlanSlot.wrap(word).withPendingEnded(kept));
    }

    /// @notice One call for a whole table: each word is spread and gathered back.
    function spreadAll(uint64[] calldata bits) external pure returns (uint256[] memory spread, uint64[] memory gathered) {
        spread = new uint256[](bits.length);
        gathered = new uint64[](bits.length);
        for (uint256 i = 0; i < bits.length; ++i) {
            spread[i] = PlanSlots.spread(bits[i]);
            gathered[i] = uint64(PlanSlots.gather(spread[i]));
        }
    }
}
