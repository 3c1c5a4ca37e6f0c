// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A contract wallet with one owner, and ways of answering badly. For tests only.
contract TestWallet is IERC1271 {
    enum Mood {
        Honest,
        Refusing,
        Reverting,
        BurningGas,
        Short
    }

    address public immutable owner;
    Mood public mood;

    constructor(address owner_) {
        owner = owner_;
    }

    function setMood(Mood mood_) external {
        mood = mood_;
    }

    /// @notice Calls on the owner's word.
    function execute(address target, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner, "not the owner");
        (bool success, bytes memory answer) = target.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (mood == Mood.Reverting) revert("moody");
        if (mood == Mood.BurningGas) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        if (mood == Mood.Short) {
            assembly ("memory-safe") {
                mstore(0x00, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
                return(0x00, 0x04)
            }
        }
        if (mood == Mood.Refusing) return bytes4(0xffffffff);
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool good = failure == ECDSA.RecoverError.NoError && recovered == owner;
        return good ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
