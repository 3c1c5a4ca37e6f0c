// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A Merkle tree whose nodes carry the sum of their leaves
/// @notice A node is 44 bytes: 32 of hash, 12 of sum. Because a parent hashes both its children's sums, leaves that are
///         shown to be under a root cannot add up to more than the root's sum.
/// @dev A leaf's preimage is 32 bytes (it is hashed twice), a parent's 88 and a root's 44: none is read as another.
library SumTree {
    uint256 private constant NODE = 44;

    /// @notice What is stored of a root: 27 bytes, 108 bits of them against two trees with one commitment.
    function commitment(bytes32 hash, uint96 sum) internal pure returns (bytes27) {
        return bytes27(keccak256(abi.encodePacked(hash, sum)));
    }

    /// @notice The commitment of the root above a leaf; zero for a proof that leads nowhere.
    /// @param proof the sibling nodes from the leaf up, end to end
    function climb(address account, address token, uint96 cumulative, bytes calldata proof)
        internal
        pure
        returns (bytes27)
    {
        if (proof.length % NODE != 0) return 0;
        bytes32 hash = keccak256(bytes.concat(keccak256(abi.encode(account, token, cumulative))));
        uint256 sum = cumulative;
        unchecked {
            for (uint256 i = 0; i < proof.length; i += NODE) {
                uint256 beside;
                (hash, beside) = _parent(hash, sum, proof, i);
                sum += beside;
                if (sum > type(uint96).max) return 0;
            }
        }
        return commitment(hash, uint96(sum));
    }

    /// @dev The hash over a node and its sibling at `start` in the proof, the lower hash first; and the sibling's sum.
    function _parent(bytes32 hash, uint256 sum, bytes calldata proof, uint256 start)
        private
        pure
        returns (bytes32 parent, uint256 beside)
    {
        assembly ("memory-safe") {
            let from := add(proof.offset, start)
            let sibling := calldataload(from)
            beside := shr(160, calldataload(add(from, 0x20)))
            let buffer := mload(0x40)
            // Each sum's word reaches 20 bytes past its node: the first node is written first.
            switch gt(hash, sibling)
            case 0 {
                mstore(buffer, hash)
                mstore(add(buffer, 0x20), shl(160, sum))
                mstore(add(buffer, 44), sibling)
                mstore(add(buffer, 76), shl(160, beside))
            }
            default {
                mstore(buffer, sibling)
                mstore(add(buffer, 0x20), shl(160, beside))
                mstore(add(buffer, 44), hash)
                mstore(add(buffer, 76), shl(160, sum))
            }
            parent := keccak256(buffer, 88)
        }
    }
}
