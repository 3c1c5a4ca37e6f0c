// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The stored state of a plan and its money, in one storage word.
/// @dev Layout, low bits first:
///      [  0,128)  64 step codes of 2 bits: 0 pending, 1 paid whole, 2 refunded or split, 3 disputed
///      [128,224)  remaining, uint96
///      [224,226)  status
///      [226]      proposed: the charter in force has the evaluator's signature only
///      [227]      authorized: the client side signed the charter in force
///      [228]      closing: closed but for steps that are disputed or in review
///      [229]      vetoed: the client refused a proposal, and none counts any more
///      [230]      noticed: the client announced that it closes the plan
///      [231]      nothing
///      [232,256)  charter version, uint24
type PlanSlot is uint256;

using PlanSlots for PlanSlot global;

/// @title The codec of {PlanSlot}
/// @notice A *bits* argument names steps, one bit each, bit i for step i; nothing stands above its 64th. It never holds codes.
library PlanSlots {
    /// @dev The low bit of each of the 64 codes.
    uint256 internal constant LOW_BITS = 0x55555555555555555555555555555555;

    uint256 private constant REMAINING_SHIFT = 128;
    uint256 private constant STATUS_SHIFT = 224;
    uint256 private constant VERSION_SHIFT = 232;
    uint256 private constant REMAINING_MASK = uint256(type(uint96).max) << REMAINING_SHIFT;
    uint256 private constant STATUS_MASK = uint256(3) << STATUS_SHIFT;
    uint256 private constant PROPOSED = uint256(1) << 226;
    uint256 private constant AUTHORIZED = uint256(1) << 227;
    uint256 private constant CLOSING = uint256(1) << 228;
    uint256 private constant VETOED = uint256(1) << 229;
    uint256 private constant NOTICED = uint256(1) << 230;
    uint256 private constant VERSION_MASK = uint256(type(uint24).max) << VERSION_SHIFT;

    function codes(PlanSlot slot) internal pure returns (uint128) {
        return uint128(PlanSlot.unwrap(slot));
    }

    function remaining(PlanSlot slot) internal pure returns (uint96) {
        return uint96(PlanSlot.unwrap(slot) >> REMAINING_SHIFT);
    }

    function status(PlanSlot slot) internal pure returns (uint8) {
        return uint8(PlanSlot.unwrap(slot) >> STATUS_SHIFT) & 3;
    }

    /// @notice Whether a charter is in force, proposed or authorized.
    function sealed_(PlanSlot slot) internal pure returns (bool) {
        return PlanSlot.unwrap(slot) & (PROPOSED | AUTHORIZED) != 0;
    }

    function authorized(PlanSlot slot) internal pure returns (bool) {
        return PlanSlot.unwrap(slot) & AUTHORIZED != 0;
    }

    function vetoed(PlanSlot slot) internal pure returns (bool) {
        return PlanSlot.unwrap(slot) & VETOED != 0;
    }

    function noticed(PlanSlot slot) internal pure returns (bool) {
        return PlanSlot.unwrap(slot) & NOTICED != 0;
    }

    function closing(PlanSlot slot) internal pure returns (bool) {
        return PlanSlot.unwrap(slot) & CLOSING != 0;
    }

    function version(PlanSlot slot) internal pure returns (uint24) {
        return uint24(PlanSlot.unwrap(slot) >> VERSION_SHIFT);
    }

    function withRemaining(PlanSlot slot, uint96 value) internal pure returns (PlanSlot) {
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~REMAINING_MASK) | (uint256(value) << REMAINING_SHIFT));
    }

    /// @dev `amount` is at most what remains.
    function less(PlanSlot slot, uint256 amount) internal pure returns (PlanSlot) {
        unchecked {
            return PlanSlot.wrap(PlanSlot.unwrap(slot) - (amount << REMAINING_SHIFT));
        }
    }

    /// @dev `value` is at most 3.
    function withStatus(PlanSlot slot, uint8 value) internal pure returns (PlanSlot) {
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~STATUS_MASK) | (uint256(value & 3) << STATUS_SHIFT));
    }

    /// @notice A charter comes into force; an authorized one also ends a notice.
    function withCharter(PlanSlot slot, uint24 value, bool authorized_) internal pure returns (PlanSlot) {
        uint256 word = PlanSlot.unwrap(slot) & ~(VERSION_MASK | PROPOSED | AUTHORIZED | NOTICED);
        return PlanSlot.wrap(word | (uint256(value) << VERSION_SHIFT) | (authorized_ ? AUTHORIZED : PROPOSED));
    }

    /// @notice The proposed charter in force is void, and no other proposal counts.
    function withVeto(PlanSlot slot) internal pure returns (PlanSlot) {
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~PROPOSED) | VETOED);
    }

    function withNotice(PlanSlot slot) internal pure returns (PlanSlot) {
        return PlanSlot.wrap(PlanSlot.unwrap(slot) | NOTICED);
    }

    function withClosing(PlanSlot slot, bool value) internal pure returns (PlanSlot) {
        uint256 word = PlanSlot.unwrap(slot);
        return PlanSlot.wrap(value ? word | CLOSING : word & ~CLOSING);
    }

    /// @notice Whether each of the steps that {spread} made `low` of is pending.
    function isPending(PlanSlot slot, uint256 low) internal pure returns (bool) {
        return PlanSlot.unwrap(slot) & (low | (low << 1)) == 0;
    }

    /// @notice The steps whose code is still pending, among all 64 places.
    function pendingBits(PlanSlot slot) internal pure returns (uint256) {
        uint256 word = PlanSlot.unwrap(slot);
        return gather(~(word | (word >> 1)));
    }

    /// @notice As {pendingBits}, among the first `count` places.
    function pendingAmong(PlanSlot slot, uint256 count) internal pure returns (uint256) {
        uint256 word = PlanSlot.unwrap(slot);
        // A shift by 128 leaves the codes of a full charter.
        return gather(~(word | (word >> 1)) & ((uint256(1) << (count << 1)) - 1));
    }

    /// @notice The steps whose code is paid.
    function paidBits(PlanSlot slot) internal pure returns (uint256) {
        uint256 word = PlanSlot.unwrap(slot);
        return gather(word & ~(word >> 1));
    }

    /// @notice The steps whose code is disputed.
    function disputedBits(PlanSlot slot) internal pure returns (uint256) {
        uint256 word = PlanSlot.unwrap(slot);
        return gather(word & (word >> 1));
    }

    /// @notice Marks `bits` paid, from any state.
    function withPaid(PlanSlot slot, uint256 bits) internal pure returns (PlanSlot) {
        uint256 low = spread(bits);
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~(low << 1)) | low);
    }

    /// @notice Marks the steps that {spread} made `low` of paid. They are pending.
    function withPendingPaid(PlanSlot slot, uint256 low) internal pure returns (PlanSlot) {
        return PlanSlot.wrap(PlanSlot.unwrap(slot) | low);
    }

    /// @notice Marks `bits` refunded or split, from any state.
    function withEnded(PlanSlot slot, uint256 bits) internal pure returns (PlanSlot) {
        uint256 low = spread(bits);
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~low) | (low << 1));
    }

    /// @notice Marks `bits` disputed, from any state.
    function withDisputed(PlanSlot slot, uint256 bits) internal pure returns (PlanSlot) {
        uint256 low = spread(bits);
        return PlanSlot.wrap(PlanSlot.unwrap(slot) | low | (low << 1));
    }

    /// @notice Marks every place that is still pending as ended, whether or not a step stands there, but those in `kept`.
    function withPendingEnded(PlanSlot slot, uint256 kept) internal pure returns (PlanSlot) {
        uint256 word = PlanSlot.unwrap(slot);
        return PlanSlot.wrap(word | ((~(word | (word >> 1) | spread(kept)) & LOW_BITS) << 1));
    }

    /// @notice Moves bit i to bit 2i.
    function spread(uint256 bits) internal pure returns (uint256 x) {
        x = bits;
        // Most calls name the first step or none, and most plans have few steps.
        if (x > 1) {
            if (x > 0xFF) {
                x = (x | (x << 32)) & 0x00000000FFFFFFFF00000000FFFFFFFF;
                x = (x | (x << 16)) & 0x0000FFFF0000FFFF0000FFFF0000FFFF;
                x = (x | (x << 8)) & 0x00FF00FF00FF00FF00FF00FF00FF00FF;
            }
            x = (x | (x << 4)) & 0x0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F;
            x = (x | (x << 2)) & 0x33333333333333333333333333333333;
            x = (x | (x << 1)) & LOW_BITS;
        }
    }

    /// @notice Moves bit 2i to bit i; odd bits and those from 128 up are dropped.
    function gather(uint256 x) internal pure returns (uint256) {
        x &= LOW_BITS;
        // Most plans close with no step pending or disputed.
        if (x != 0) {
            x = (x | (x >> 1)) & 0x33333333333333333333333333333333;
            x = (x | (x >> 2)) & 0x0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F;
            x = (x | (x >> 4)) & 0x00FF00FF00FF00FF00FF00FF00FF00FF;
            x = (x | (x >> 8)) & 0x0000FFFF0000FFFF0000FFFF0000FFFF;
            x = (x | (x >> 16)) & 0x00000000FFFFFFFF00000000FFFFFFFF;
            x = (x | (x >> 32)) & 0x0000000000000000FFFFFFFFFFFFFFFF;
        }
        return x;
    }
}
